import Foundation

/// How long a picture of a pipeline takes, and whether the pipeline notices.
enum SnapshotBenchmark: Benchmark {
    static let name = "snapshot"
    static let summary =
        "Snapshot: JPEG of a raw pad, 1920x1080 at 30 a second, each request on a connection of its own"
    static let defaultRuns = 3

    private static let pictures = 200
    private static let path = "/v1/pipelines/p0/snapshot?pad=v.src"

    private struct Figures {
        var times: Series
        var bytes: Double
        var dropped: Double
    }

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        // As decoders and as cameras make them; "ball" is nearly empty.
        try [("smpte", "I420"), ("smpte", "NV12"), ("ball", "I420")].flatMap { pattern, format in
            let figures = try (0..<(runs ?? defaultRuns)).map { _ in try once(pattern, format, stage) }
            func row(_ suffix: String, _ what: String, _ unit: String, _ figure: (Figures) -> Double) -> Row {
                Row(
                    name: "snapshot.\(pattern).\(format).\(suffix)", what: "\(pattern), \(format): \(what)", unit: unit,
                    mediahost: Series(figures.map(figure)))
            }
            return [
                row("median", "request to the whole picture, median of \(pictures)", "ms") { $0.times.median },
                row("p95", "the same, 95 % (goal: 15)", "ms") { $0.times.quantile(0.95) },
                row("bytes", "length of the last picture", "bytes", \.bytes),
                row(
                    "dropped", "buffers that the sink dropped because they were late meanwhile (goal: 0)", "", \.dropped
                ),
            ]
        }
    }

    private static func once(_ pattern: String, _ format: String, _ stage: Stage) throws -> Figures {
        let socket = stage.path(".socket")
        let host = try stage.host(
            [
                "videotestsrc is-live=true name=v pattern=\(pattern) ! video/x-raw,format=\(format),width=1920,height=1080,framerate=30/1"
                    + " ! queue ! \(Pipelines.punctualSink)"
            ], socket: socket)
        defer { host.kill() }
        try host.run(for: 2)
        let before = try ControlCall.dropped(socket)
        var bytes = 0
        let times = try (0..<pictures).map { index in
            let began = monotonic()
            bytes = try ControlCall.get(path, socket).count
            let time = Double(monotonic() - began) / 1e6
            // Anywhere between two pictures.
            try host.run(for: 0.005 + 0.028 * Double(index % 17) / 17)
            return time
        }
        return Figures(times: Series(times), bytes: Double(bytes), dropped: try ControlCall.dropped(socket) - before)
    }
}
