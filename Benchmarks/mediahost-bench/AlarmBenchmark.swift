import Foundation

/// Whether the host says "stalled" of pipelines that are not, on a machine that has much else to do.
enum AlarmBenchmark: Benchmark {
    static let name = "alarm"
    static let summary =
        "False alarms: 4 live pipelines, stall-timeout: 500ms, processors 80 % busy; one run is one minute"
    static let defaultRuns = 60

    /// What a sink writes down: 20 ms less than the timeout, as the host counts from the end of a buffer.
    private static let silence = 480_000_000

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let minutes = runs ?? defaultRuns
        let texts = [
            "videotestsrc is-live=true ! \(Pipelines.rawVideo)", "videotestsrc is-live=true ! \(Pipelines.rawVideo)",
            Pipelines.camera, Pipelines.audio,
        ]
        let traces = texts.map { _ in stage.path(".trace") }
        let host = try stage.host(
            zip(texts, traces).map { "\($0) ! benchsink silence=\(silence) trace=\($1)" }, more: "stall-timeout: 500ms")
        for trace in traces { try Trace.wait(for: 1, "first", in: trace, from: host) }
        // Its own children are part of the load.
        let load = LoadGenerator(share: 0.8)
        load.run(seconds: minutes * 60)
        let log = host.log.split(separator: "\n")
        host.kill()
        var alarms: [Substring] = []
        var falseAlarms: [Substring] = []
        var silences = 0
        for (index, trace) in traces.enumerated() {
            let told = log.filter {
                $0.contains(" pipeline p\(index): ") && ($0.contains(": stalled") || $0.contains(": degraded"))
            }
            let silent = Trace(trace).lines.filter { $0.what == "silence" }.map { LogTime.ofDay($0.realtime) }
            // A source falls silent before its sink does, and a busy host may speak late.
            falseAlarms += told.filter { line in
                guard let time = LogTime.ofDay(line) else { return true }
                return !silent.contains { (-500...3000).contains(LogTime.distance(from: $0, to: time)) }
            }
            alarms += told
            silences += silent.count
        }
        if !alarms.isEmpty { FileHandle.standardError.write(Data((alarms.joined(separator: "\n") + "\n").utf8)) }
        return [
            Row(
                name: "alarm.false", what: "alarms of what was not silent, in \(minutes) min", unit: "",
                mediahost: Series([Double(falseAlarms.count)])),
            Row(
                name: "alarm.count", what: "all alarms | sinks without a buffer for 480 ms", unit: "",
                mediahost: Series([Double(alarms.count)]), peerName: "silences", peer: Series([Double(silences)])),
            Row(
                name: "alarm.load", what: "processors busy, of each second", unit: "%",
                mediahost: Series(load.busy.map { $0 * 100 })),
        ]
    }
}
