/// The command line.
struct Options {
    /// Nil: each benchmark's own number.
    var runs: Int?
    var only: [String] = []
    var json = false
    var help = false

    init(_ arguments: [String]) throws(BenchError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": help = true
            case "--json": json = true
            case "--runs":
                guard let text = rest.popFirst(), let number = Int(text), number > 0 else {
                    throw BenchError("--runs takes a number from 1", isUsage: true)
                }
                runs = number
            case "--only":
                guard let name = rest.popFirst(), Self.names.contains(name) else {
                    throw BenchError("--only takes one of \(Self.names.joined(separator: ", "))", isUsage: true)
                }
                only.append(name)
            default: throw BenchError("unknown argument \"\(argument)\"; --help lists them", isUsage: true)
            }
        }
    }

    private static var names: [String] { MediaHostBench.benchmarks.map { $0.name } }

    static var help: String {
        let list = MediaHostBench.benchmarks.map { benchmark in
            "  " + benchmark.name.padding(to: 16) + "\(benchmark.summary) (\(benchmark.defaultRuns) runs)"
        }
        return """
            Usage: mediahost-bench [OPTION...]

            Measures the release build of mediahost beside gst-launch-1.0 and bare C, in turns, in the same run.

              --only NAME     one benchmark; may be given several times (default: start, memory, tap, event, load)
              --runs N        runs of each side instead of the benchmark's own number
              --json          figures of every run, for programs
              --help          this

            Benchmarks:
            \(list.joined(separator: "\n"))
            """
    }
}

extension String {
    func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
    func padding(left width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
