import Foundation

/// Where the key frames of an H.264 clip are.
struct ClipPictures {
    /// Pictures a second.
    let rate: Double
    /// In the order of their showing, the first is 0.
    let keys: [Int]

    init(of path: String, _ stage: Stage) throws {
        let launch = "filesrc location=\(path) ! qtdemux ! h264parse ! identity silent=false ! fakesink"
        let child = try Child([stage.gstLaunch, "-v"] + launch.split(separator: " ").map(String.init), on: stage)
        try child.waitForSuccess(within: 120)
        let found = child.log.split(separator: "\n").compactMap(Self.picture).sorted { $0.time < $1.time }
        guard let first = found.first, let last = found.last, last.time > first.time, first.isKey else {
            throw BenchError("\(path) has no pictures that begin with a key frame")
        }
        rate = Double(found.count - 1) / (last.time - first.time)
        keys = found.indices.filter { found[$0].isKey }
    }

    /// Of what `identity` says of a buffer: "… pts: 0:00:01.040000000, … flags: 00002200 marker delta-unit , …"
    private static func picture(_ line: Substring) -> (time: Double, isKey: Bool)? {
        guard line.contains("last-message = chain"), let pts = line.firstRange(of: " pts: "),
            let flags = line.firstRange(of: " flags: ")
        else { return nil }
        let parts = line[pts.upperBound...].prefix { $0 != "," }.split(separator: ":").compactMap { Double($0) }
        guard parts.count == 3 else { return nil }
        let isKey = !line[flags.upperBound...].prefix { $0 != "," }.contains("delta-unit")
        return (parts[0] * 3600 + parts[1] * 60 + parts[2], isKey)
    }
}
