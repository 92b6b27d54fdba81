import Foundation

/// Thousands of errors in one host: each is recovered from, and nothing grows.
enum FaultsBenchmark: Benchmark {
    static let name = "faults"
    static let summary = "Faults: errors recovered from in one host, and what it holds at a tenth of them | after all"
    static let defaultRuns = 10_000

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let count = runs ?? defaultRuns
        let clip = try stage.clip()
        return try RecoveryBenchmark.kinds.flatMap { name, what, launch in
            try once(
                name, what, name == "file" ? "filesrc location=\(clip) ! decodebin" : launch,
                name == "raw" ? count : max(10, count / 5), stage)
        }
    }

    private static func once(
        _ name: String, _ what: String, _ source: String, _ count: Int, _ stage: Stage
    ) throws -> [Row] {
        let trace = stage.path(".trace")
        let socket = stage.path(".socket")
        let host = try stage.host(
            ["\(source) ! benchsink name=sink error-after=3 trace=\(trace)"], more: Stage.restartAtOnce,
            socket: socket)
        try Trace.wait(for: count / 10, "error", in: trace, from: host)
        let early = try held(by: host)
        try Trace.wait(for: count, "error", in: trace, from: host)
        let late = try held(by: host)
        let status = try stage.status(socket)
        let restarts = (status["pipelines"] as? [String: [String: Any]])?["p0"]?["restarts"] as? Int ?? -1
        host.kill()
        let errors = Trace(trace).lines.count { $0.what == "error" }
        guard restarts >= count - 1, errors >= restarts else {
            throw BenchError("\(errors) errors, but \(restarts) restarts are told\(host.said)")
        }
        return [
            Row(
                name: "faults.\(name).count", what: "\(what): restarts told | errors seen by the end", unit: "",
                mediahost: Series([Double(restarts)]), peerName: "errors", peer: Series([Double(errors)]))
        ]
            + zip(["fds", "threads", "dirty"], zip(early, late)).map { figure, pair in
                Row(
                    name: "faults.\(name).\(figure)", what: "\(what): \(figure) after all | after a tenth",
                    unit: figure == "dirty" ? "MiB" : "", mediahost: Series([pair.1]), peerName: "a tenth",
                    peer: Series([pair.0]))
            }
    }

    /// Fds, threads, private dirty in MiB: the least of ten looks, as builds come and go.
    private static func held(by host: Child) throws -> [Double] {
        var least = [Double](repeating: .infinity, count: 3)
        for _ in 0..<10 {
            let now = [
                Double(host.count("fd")), Double(host.count("task")), (try host.memory()["Private_Dirty"] ?? 0) / 1024,
            ]
            least = zip(least, now).map(min)
            // The span over which the least is taken: a few builds.
            try host.run(for: 0.02)
        }
        return least
    }
}
