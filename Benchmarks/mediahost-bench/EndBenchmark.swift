import Foundation

/// From SIGTERM to the exit; gst-launch-1.0 needs SIGINT and -e to finalise what it writes.
enum EndBenchmark: Benchmark {
    static let name = "end"
    static let summary = "End: SIGTERM to exit, beside SIGINT to gst-launch-1.0 -e; 2 s after the start"
    static let defaultRuns = 15

    private static let settle = 2.0
    private static let camera =
        "videotestsrc is-live=true pattern=ball ! video/x-raw,format=I420,width=1280,height=720,framerate=25/1 ! x264enc"

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let runs = runs ?? defaultRuns
        let kinds: [(String, String, String, Bool)] = [
            ("raw", "live raw video", "videotestsrc is-live=true ! \(Pipelines.rawVideo)", false),
            (
                "zerolatency", "live H.264 720p, zerolatency, to MP4",
                "\(camera) tune=zerolatency ! h264parse ! mp4mux", true
            ),
            (
                "default", "live H.264 720p, defaults of x264enc but speed-preset=ultrafast, to MP4",
                "\(camera) speed-preset=ultrafast ! h264parse ! mp4mux", true
            ),
        ]
        return try kinds.map { name, what, launch, isFile in
            let found = try Turns.take(Side.allCases, runs) { side in
                let file = stage.path(".mp4")
                let text = "\(launch) ! " + (isFile ? "filesink location=\(file)" : "fakesink")
                let child = try side == .mediahost ? stage.host([text]) : stage.launch(text, options: ["-e"])
                // A part of the figure: how much there is to finalise.
                try child.run(for: settle)
                let begin = monotonic()
                Foundation.kill(child.pid, side == .mediahost ? SIGTERM : SIGINT)
                try child.waitForSuccess(within: 20)
                let end = monotonic()
                if isFile {
                    let data = FileManager.default.contents(atPath: file) ?? Data()
                    guard data.range(of: Data("moov".utf8)) != nil else {
                        throw BenchError("\(side): the file was not finalised\(child.said)")
                    }
                    unlink(file)
                }
                return Double(end - begin) / 1e6
            }
            return Row(
                name: "end.\(name)", what: what, unit: "ms", mediahost: found[0], peerName: "gst-launch -e",
                peer: found[1])
        }
    }
}
