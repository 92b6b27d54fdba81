import Foundation

/// What clients cost that only listen, and how soon all of them hear of something.
enum StreamBenchmark: Benchmark {
    static let name = "events"
    static let summary = "Events: 1,000 clients of GET /v1/events that wait, and one event to all of them"
    static let defaultRuns = 3

    private static let clients = 1000
    private static let settle = 3.0

    private struct Figures {
        var threads: Double
        var pss: Double
        var dirty: Double
        var first: Double
        var last: Double
    }

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(7), &limit)  // RLIMIT_NOFILE, an enumeration that Swift does not see through
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(7), &limit)
        let figures = try (0..<(runs ?? defaultRuns)).map { _ in try once(stage) }
        func row(_ suffix: String, _ what: String, _ unit: String, _ figure: (Figures) -> Double) -> Row {
            Row(name: "events.\(suffix)", what: what, unit: unit, mediahost: Series(figures.map(figure)))
        }
        return [
            row("threads", "threads more (goal: 8)", "", \.threads),
            row("pss", "Pss more (goal: 10)", "MiB", \.pss),
            row("dirty", "private dirty more", "MiB", \.dirty),
            row("first", "from a request to the first client that hears of it", "ms", \.first),
            row("last", "to the last of 1,000", "ms", \.last),
        ]
    }

    private static func once(_ stage: Stage) throws -> Figures {
        let socket = stage.path(".socket")
        let host = try stage.host([], socket: socket, control: "stream-clients: \(clients)")
        defer { host.kill() }
        try host.run(for: settle)
        // What any first request costs is none of what clients cost.
        _ = try stage.status(socket)
        let before = try (host.count("task"), host.memory())
        var files: [Int32] = []
        defer { for file in files { close(file) } }
        for _ in 0..<clients { files.append(try ControlCall.listen("/v1/events", socket)) }
        try host.run(for: settle)
        let after = try (host.count("task"), host.memory())
        func more(_ key: String) -> Double { ((after.1[key] ?? 0) - (before.1[key] ?? 0)) / 1024 }

        let began = monotonic()
        try ControlCall.post("/v1/low-power", #"{"on":true}"#, socket)
        var first: UInt64?
        var piece = [UInt8](repeating: 0, count: 4096)
        for file in files {
            guard recv(file, &piece, piece.count, 0) > 0 else { throw BenchError("a client heard nothing\(host.said)") }
            if first == nil { first = monotonic() }
        }
        let last = monotonic()
        return Figures(
            threads: Double(after.0 - before.0), pss: more("Pss"), dirty: more("Private_Dirty"),
            first: Double((first ?? last) - began) / 1e6, last: Double(last - began) / 1e6)
    }
}
