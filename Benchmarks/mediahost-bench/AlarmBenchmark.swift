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
        let alarms = host.log.split(separator: "\n").filter { $0.contains(": stalled") || $0.contains(": degraded") }
        let silences = traces.map { trace in Trace(trace).lines.count { $0.what == "silence" } }.reduce(0, +)
        host.kill()
        if !alarms.isEmpty { FileHandle.standardError.write(Data((alarms.joined(separator: "\n") + "\n").utf8)) }
        return [
            Row(
                name: "alarm.count", what: "alarms in \(minutes) min | true silences", unit: "",
                mediahost: Series([Double(alarms.count)]), peerName: "silences", peer: Series([Double(silences)])),
            Row(
                name: "alarm.load", what: "processors busy, of each second", unit: "%",
                mediahost: Series(load.busy.map { $0 * 100 })),
        ]
    }
}
