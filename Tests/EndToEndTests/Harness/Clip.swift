import Foundation

/// A file decoded by `gst-launch-1.0`, which knows nothing of us: the number burnt into each frame, and its time.
struct Clip: Sendable {
    struct Frame: Sendable, Equatable {
        /// debugqroverlay counts from 1, and from 1 again in each build of a pipeline.
        var number: Int
        var nanoseconds: Int
    }

    var frames: [Frame]

    /// Reads all frames; throws where it does not decode to its end.
    init(decoding path: String) async throws {
        let demuxer = path.hasSuffix(".mkv") ? "matroskademux" : "qtdemux"
        let result = try await Tool.require(
            "gst-launch-1.0",
            ["-m", "filesrc", "location=\(path)", "!", demuxer]
                + "! h264parse ! avdec_h264 ! videoconvert ! zbar ! fakesink".split(separator: " ").map(String.init),
            in: "/")
        frames = result.output.split(separator: "\n").compactMap { line in
            guard line.contains(" barcode, "), let number = Self.number(behind: "BUFFERCOUNT\\\":", in: line),
                let time = Self.number(behind: "timestamp=(guint64)", in: line)
            else { return nil }
            return Frame(number: number, nanoseconds: time)
        }
    }

    /// The numbers, cut where they begin anew.
    var epochs: [[Int]] {
        var found: [[Int]] = []
        for frame in frames {
            if let last = found.last?.last, frame.number > last {
                found[found.count - 1].append(frame.number)
            } else {
                found.append([frame.number])
            }
        }
        return found
    }

    /// From each frame to the next, in nanoseconds.
    var steps: [Int] { zip(frames, frames.dropFirst()).map { $1.nanoseconds - $0.nanoseconds } }

    private static func number(behind mark: String, in line: Substring) -> Int? {
        guard let range = line.range(of: mark) else { return nil }
        return Int(line[range.upperBound...].prefix { $0.isNumber })
    }
}
