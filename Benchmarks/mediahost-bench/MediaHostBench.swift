import Foundation

/// Measures mediahost beside what one would use without it, in the same run.
@main
struct MediaHostBench {
    static func main() {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            guard !options.help else { return print(Options.help) }
            let stage = try Stage()
            defer { stage.remove() }
            try run(options, on: stage)
        } catch let error as BenchError {
            FileHandle.standardError.write(Data("mediahost-bench: error: \(error.text)\n".utf8))
            exit(error.isUsage ? 2 : 1)
        } catch {
            FileHandle.standardError.write(Data("mediahost-bench: error: \(error)\n".utf8))
            exit(1)
        }
    }

    static var benchmarks: [any Benchmark.Type] {
        [
            StartBenchmark.self, MemoryBenchmark.self, TapBenchmark.self, EventBenchmark.self, StreamBenchmark.self,
            ControlBenchmark.self, SnapshotBenchmark.self,
            LoadBenchmark.self, CostBenchmark.self, IdleBenchmark.self,
            RecoveryBenchmark.self, FaultsBenchmark.self, StallBenchmark.self, AlarmBenchmark.self,
            EndBenchmark.self, LifecycleBenchmark.self, ModeBenchmark.self, NetworkBenchmark.self, SleepBenchmark.self,
            TimersBenchmark.self,
            ReplayBenchmark.self, ReplayPeersBenchmark.self,
        ]
    }

    /// What `make bench` runs; the others take minutes, or tools that not everybody has.
    private static let usual: Set = [
        StartBenchmark.name, MemoryBenchmark.name, TapBenchmark.name, EventBenchmark.name, LoadBenchmark.name,
    ]

    private static func run(_ options: Options, on stage: Stage) throws {
        let machine = Machine()
        if !options.json { print(machine.text) }
        var rows: [Row] = []
        let wanted = options.only.isEmpty ? usual : Set(options.only)
        for benchmark in benchmarks where wanted.contains(benchmark.name) {
            let found = try benchmark.run(on: stage, runs: options.runs)
            rows += found
            if !options.json { print("\n" + benchmark.summary + "\n\n" + Table.text(found)) }
        }
        if options.json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            print(String(decoding: try encoder.encode(Report(machine: machine, rows: rows)), as: UTF8.self))
        }
    }
}

/// What `--json` prints.
struct Report: Encodable {
    var machine: Machine
    var rows: [Row]
}
