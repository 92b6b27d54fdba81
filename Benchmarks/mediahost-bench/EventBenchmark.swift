import Foundation

/// What one more subscriber costs the delivery of an event, through the whole host, and with a signal of GObject.
///
/// The first and the last of many instances of one plugin look at the clock; both figures come from the same process.
enum EventBenchmark: Benchmark {
    static let name = "event"
    static let summary = "Event: delivery per subscribed plugin; beside a signal of GObject with as many handlers"
    static let defaultRuns = 7

    private static let instances = 64
    private static let events = 2000

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let figures = try (0..<(runs ?? defaultRuns)).map { _ in try once(stage) }
        return [
            Row(
                name: "event.dispatch", what: "an event, per plugin that is told (goal: 100)", unit: "ns",
                mediahost: Series(figures.map(\.host)), peerName: "GObject signal",
                peer: Series(figures.map(\.gobject)))
        ]
    }

    private static func once(_ stage: Stage) throws -> (host: Double, gobject: Double) {
        let report = stage.path(".report")
        let plugins = (0..<instances).map { index in
            "  e\(index): { module: BenchEvents, index: \(index), events: \(events), report: \(report) }\n"
        }
        let host = try stage.host([], plugins: plugins.joined())
        defer { host.kill() }
        for _ in 0..<400 {
            try host.run(for: 0.05)
            guard let text = try? String(contentsOfFile: report, encoding: .utf8) else { continue }
            let words = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
            guard words.count == 2 else { throw BenchError("the report is \"\(text)\"") }
            return (words[0], words[1])
        }
        throw BenchError("\(events) events were not told within 20 s\(host.said)")
    }
}
