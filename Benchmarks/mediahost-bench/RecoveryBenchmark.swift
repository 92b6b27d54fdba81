/// From an error on the bus to the first buffer of the pipeline that was built anew, beside the same in bare C.
enum RecoveryBenchmark: Benchmark {
    static let name = "recovery"
    static let summary = "Recovery: error to the first buffer of the rebuilt pipeline, beside the same rebuild in C"
    static let defaultRuns = 1000

    /// Errors of one process; then it is the other side's turn.
    private static let turn = 100

    static let kinds = [
        ("raw", "raw 1080p", "videotestsrc ! video/x-raw,format=I420,width=1920,height=1080"),
        (
            "camera", "H.264 720p",
            "videotestsrc pattern=ball ! video/x-raw,format=I420,width=1280,height=720"
                + " ! x264enc tune=zerolatency speed-preset=ultrafast ! h264parse"
        ),
        ("audio", "Opus", "audiotestsrc wave=ticks ! audioconvert ! opusenc"),
        ("file", "H.264 file, decoded", ""),
    ]

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let turns = max(1, (runs ?? defaultRuns) / turn)
        let clip = try stage.clip()
        return try kinds.flatMap { name, what, launch in
            let source = name == "file" ? "filesrc location=\(clip) ! decodebin" : launch
            var times: [[Double]] = [[], []]
            for round in 0..<turns {
                for step in 0..<2 {
                    let side = (step + round) % 2
                    times[side] += try once(side == 0, source, stage)
                }
            }
            let host = Series(times[0])
            let bare = Series(times[1])
            return [("median", 0.5), ("p99", 0.99), ("most", 1)].map { label, share in
                Row(
                    name: "recovery.\(name).\(label)", what: "\(what), \(label) of \(times[0].count)", unit: "ms",
                    mediahost: Series([host.quantile(share)]), peerName: "bare C",
                    peer: Series([bare.quantile(share)]))
            }
        }
    }

    private static func once(_ isHost: Bool, _ source: String, _ stage: Stage) throws -> [Double] {
        let trace = stage.path(".trace")
        let launch = "\(source) ! benchsink name=sink error-after=3 trace=\(trace)"
        if isHost {
            let host = try stage.host([launch], more: Stage.restartAtOnce)
            try Trace.wait(for: turn + 1, "error", in: trace, from: host)
        } else {
            try Child([stage.rebuild, "\(turn)", launch], on: stage).waitForSuccess(within: 120)
        }
        return Array(Trace(trace).recoveries.prefix(turn))
    }
}
