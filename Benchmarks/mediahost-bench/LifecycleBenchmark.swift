import Foundation

/// How long a pause takes that many plugins have to acknowledge, and what one costs that never does.
///
/// The plugins answer from a thread of their own; the pipeline goes on, so that only the asking is measured.
enum LifecycleBenchmark: Benchmark {
    static let name = "lifecycle"
    static let summary =
        "Lifecycle: a pause that 20 plugins acknowledge; one run is 200 pauses, and 5 with a silent plugin"
    static let defaultRuns = 5

    private static let instances = 20
    private static let pauses = 200
    private static let silentPauses = 5
    /// `ack_within` of the plugin.
    private static let deadline = 200.0

    /// Milliseconds of one pause: from the signal, and from the first question.
    private struct Pause {
        var sinceSignal: Double
        var sinceAsked: Double
    }

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let runs = runs ?? defaultRuns
        let all = try (0..<runs).map { _ in try once(stage, silent: 0, pauses) }
        let late = try (0..<runs).map { _ in try once(stage, silent: 1, silentPauses) }
        func row(_ name: String, _ what: String, _ series: Series) -> Row {
            Row(name: "lifecycle.\(name)", what: what, unit: "ms", mediahost: series)
        }
        let asked = all.map { Series($0.map(\.sinceAsked)) }
        let signalled = all.map { Series($0.map(\.sinceSignal)) }
        return [
            row("asked.p50", "first question to did-pause, p50 of 200", Series(asked.map(\.median))),
            row(
                "asked.p99", "first question to did-pause, p99 of 200 (goal: 5)",
                Series(asked.map { $0.quantile(0.99) })),
            row("signal.p50", "SIGUSR1 to did-pause, p50 of 200", Series(signalled.map(\.median))),
            row("signal.p99", "SIGUSR1 to did-pause, p99 of 200", Series(signalled.map { $0.quantile(0.99) })),
            row(
                "silent", "one never answers: beyond its deadline of 200 ms (goal: 20)",
                Series(late.flatMap { $0.map { $0.sinceAsked - deadline } })),
        ]
    }

    private static func once(_ stage: Stage, silent: Int, _ pauses: Int) throws -> [Pause] {
        let report = stage.path(".report")
        let plugins = (0..<instances).map { index in
            // In the middle: others are asked before it and after it.
            let isSilent = silent > 0 && index == instances / 2
            return "  l\(index): { module: BenchLifecycle, index: \(index), silent: \(isSilent), report: \(report) }\n"
        }
        let host = try stage.host(
            ["fakesrc is-live=true do-timestamp=true ! identity sleep-time=10000 ! fakesink"], more: "background: keep",
            plugins: plugins.joined())
        defer { host.kill() }
        // A signal before the host catches them would end it.
        while !FileManager.default.fileExists(atPath: report) { try host.run(for: 0.01) }
        try wait(1, "pause", report, host) { kill(host.pid, SIGUSR1) }
        try wait(1, "resume", report, host) { kill(host.pid, SIGUSR2) }
        return try (2..<pauses + 2).map { number in
            let begin = Double(monotonic())
            kill(host.pid, SIGUSR1)
            let line = try wait(number, "pause", report, host)
            kill(host.pid, SIGUSR2)
            try wait(number, "resume", report, host)
            return Pause(sinceSignal: (line.end - begin) / 1e6, sinceAsked: (line.end - line.asked) / 1e6)
        }
    }

    /// The `number`th line of one kind. - Parameter nudge: what to do until the host hears it.
    @discardableResult
    private static func wait(
        _ number: Int, _ what: String, _ report: String, _ host: Child, until nudge: () -> Void = {}
    ) throws -> (asked: Double, end: Double) {
        for turn in 0..<20_000 {
            if turn % 500 == 0 { nudge() }
            let text = (try? String(contentsOfFile: report, encoding: .utf8)) ?? ""
            let lines = text.split(separator: "\n").filter { $0.hasPrefix(what) }
            if lines.count >= number, text.hasSuffix("\n") {
                let words = lines[number - 1].split(separator: " ").dropFirst().compactMap { Double($0) }
                guard words.count == 2 else { throw BenchError("the report says \"\(lines[number - 1])\"") }
                return (words[0], words[1])
            }
            try host.run(for: 0.001)
        }
        throw BenchError("no \(what) within 20 s\(host.said)")
    }
}
