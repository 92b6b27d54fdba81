import Foundation

/// How often a host wakes up that has nothing to do.
enum IdleBenchmark: Benchmark {
    static let name = "idle"
    static let summary = "Idle: context switches of all threads in 30 s, from 20 s after the start"
    static let defaultRuns = 1

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let runs = runs ?? defaultRuns
        let nothing = try (0..<runs).map { _ in try once(stage.host([])) }
        let audio = try Turns.take(Side.allCases, runs) { side in
            let text = "\(Pipelines.audio) ! fakesink"
            return try once(side == .mediahost ? stage.host([text]) : stage.launch(text))
        }
        return [
            Row(name: "idle.nothing", what: "no pipeline", unit: "", mediahost: Series(nothing)),
            Row(
                name: "idle.audio", what: "1 live Opus pipeline", unit: "", mediahost: audio[0], peerName: "gst-launch",
                peer: audio[1]),
        ]
    }

    private static func once(_ child: Child) throws -> Double {
        // Both spans are what the row promises.
        try child.run(for: 20)
        let before = try child.switches()
        try child.run(for: 30)
        let after = try child.switches()
        // A thread that ended meanwhile takes its count with it.
        return after.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }
    }
}
