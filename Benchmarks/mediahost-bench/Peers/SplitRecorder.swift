import Foundation

/// `splitmuxsink` with segments of a second; those of the range are put together by `splitmuxsrc`.
///
/// It writes a GOP when it has the whole of it. So the end of what is asked for is in the segment after the open one;
/// either its end is awaited, or the clip ends with what is closed.
final class SplitRecorder: ReplayRecorder {
    let process: Child
    private let stage: Stage
    private let folder: String
    private let isComplete: Bool
    /// The number of the segment that was open then, of each question.
    private var asked: [Int] = []

    init(_ camera: String, on stage: Stage, isComplete: Bool) throws {
        (self.stage, self.isComplete) = (stage, isComplete)
        folder = stage.path(".segments")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // With `max-files` names come again.
        process = try stage.launch(
            "\(NumberedCamera.source(camera)) ! splitmuxsink muxer-factory=matroskamux max-size-time=1000000000"
                + " location=\(folder)/%05d.mkv")
    }

    func ask() throws { asked.append(try segments().count - 1) }

    func finished(within seconds: Double) throws -> String? {
        guard !asked.isEmpty else { return nil }
        let last = asked.removeFirst() + (isComplete ? 1 : -1)
        let deadline = monotonic() + UInt64(seconds * 1e9)
        while try segments().count < last + 2 {
            guard monotonic() < deadline else { return nil }
            try process.run(for: 0.005)
        }
        let parts = stage.path(".parts")
        try FileManager.default.createDirectory(atPath: parts, withIntermediateDirectories: true)
        let count = ReplayPeersBenchmark.asked + (isComplete ? 1 : -1)
        for name in try segments().prefix(last + 1).suffix(count) {
            try FileManager.default.linkItem(atPath: "\(folder)/\(name)", toPath: "\(parts)/\(name)")
        }
        let clip = stage.path(".mkv")
        try stage.launch("splitmuxsrc location=\(parts)/*.mkv ! h264parse ! matroskamux ! filesink location=\(clip)")
            .waitForSuccess(within: seconds)
        return clip
    }

    /// The last one is being written.
    private func segments() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
}
