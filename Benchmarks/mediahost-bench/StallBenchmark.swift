import Foundation

/// From a source that falls silent without a word to the host's own word for it.
enum StallBenchmark: Benchmark {
    static let name = "stall"
    static let summary = "Stall: the last buffer to the log's \"stalled\", beyond stall-timeout: 500ms; 25 fps"
    static let defaultRuns = 100

    private static let timeout = 500.0
    private static let pipelines = 5

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let runs = runs ?? defaultRuns
        let each = (runs + pipelines - 1) / pipelines
        let traces = (0..<pipelines).map { _ in stage.path(".trace") }
        let host = try stage.host(
            traces.enumerated().map { index, trace in
                // Not all at the same moment.
                "benchsrc name=source period=40000000 stop-after=\(10 + index) trace=\(trace) ! fakesink"
            }, more: Stage.restartAtOnce + "\n    stall-timeout: 500ms")
        for trace in traces { try Trace.wait(for: each + 1, "last", in: trace, from: host) }
        let log = host.log
        host.kill()
        var beyond: [Double] = []
        for (index, trace) in traces.enumerated() {
            let lasts = Trace(trace).lines.filter { $0.what == "last" }.prefix(each)
            let told = log.split(separator: "\n").filter { $0.contains(" pipeline p\(index): warning: stalled") }
                .compactMap(LogTime.ofDay)
            guard told.count >= lasts.count else {
                throw BenchError("\(lasts.count) stalls of p\(index), but \(told.count) are told\(host.said)")
            }
            beyond += zip(lasts, told).map { last, told in
                LogTime.distance(from: LogTime.ofDay(last.realtime), to: told) - timeout
            }
        }
        let series = Series(beyond)
        return [
            Row(
                name: "stall.beyond", what: "stalled, beyond the timeout (40 ms are the frame's own)", unit: "ms",
                mediahost: series),
            Row(name: "stall.p99", what: "the same, p99", unit: "ms", mediahost: Series([series.quantile(0.99)])),
        ]
    }
}
