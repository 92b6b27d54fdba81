import Foundation

/// What a tap costs the streaming thread per buffer, through the whole host: pad probe, media time, the plugin's C table.
///
/// Every run is a `mediahost run` of the same launch text; only what hangs on the source's pad differs.
enum TapBenchmark: Benchmark {
    static let name = "tap"
    static let summary = "Tap: CPU time of the streaming thread per buffer, less that of the same pipeline without"
    static let defaultRuns = 15

    private static let begin = 50_000
    private static let buffers = 1_000_000

    private enum What: Int, CaseIterable {
        case nothing, bareProbe, workingProbe, tap
    }

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let runs = runs ?? defaultRuns
        let nanoseconds = try Turns.take(What.allCases, runs) { try once($0, stage, counting: false).nanoseconds }
        let net = What.allCases.map { nanoseconds[$0.rawValue] - nanoseconds[What.nothing.rawValue] }
        let allocations = try Turns.take([What.nothing, .tap], 3) { what in
            try once(what, stage, counting: true).allocations
        }
        let tap = net[What.tap.rawValue]
        return [
            Row(
                name: "tap.bare", what: "a tap | a C probe that only counts", unit: "ns", mediahost: tap,
                peerName: "C probe", peer: net[What.bareProbe.rawValue]),
            Row(
                name: "tap.work", what: "a tap | a C probe that maps and converts times", unit: "ns", mediahost: tap,
                peerName: "C probe, same view", peer: net[What.workingProbe.rawValue]),
            Row(
                name: "tap.over", what: "a tap over the bare probe (goal: 150)", unit: "ns",
                mediahost: nanoseconds[What.tap.rawValue] - nanoseconds[What.bareProbe.rawValue]),
            Row(
                name: "tap.pipeline", what: "the whole pipeline with a tap | without", unit: "ns",
                mediahost: nanoseconds[What.tap.rawValue], peerName: "no probe",
                peer: nanoseconds[What.nothing.rawValue]),
            Row(
                name: "tap.allocations", what: "allocations per 1000 buffers with a tap | without", unit: "",
                mediahost: allocations[1], peerName: "no probe", peer: allocations[0]),
        ]
    }

    private static func once(
        _ what: What, _ stage: Stage, counting: Bool
    ) throws -> (nanoseconds: Double, allocations: Double) {
        let report = stage.path(".report")
        let last = begin + buffers
        let probe = what == .tap ? 0 : what.rawValue
        let launch =
            "benchsrc name=source num-buffers=\(last) probe=\(probe)"
            + " ! benchsink first=\(begin) last=\(last) report=\(report)"
        let plugins = "  tap:\n    module: BenchTap\n    pad: p0/source.src\n"
        let child = try stage.host(
            [launch], more: "on-eos: exit", plugins: what == .tap ? plugins : "",
            preload: counting ? stage.probe : nil)
        try child.waitForSuccess(within: 60)
        let words = (try? String(contentsOfFile: report, encoding: .utf8))?.split(whereSeparator: \.isWhitespace) ?? []
        guard words.count == 4, let count = Double(words[0]), let cpu = Double(words[1]),
            let allocations = Double(words[3])
        else { throw BenchError("the meter wrote no report\(child.said)") }
        guard !counting || allocations >= 0 else { throw BenchError("allocations were not counted\(child.said)") }
        return (cpu / count, allocations / count * 1000)
    }
}
