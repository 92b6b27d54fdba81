import Foundation

/// What timers cost a host that has nothing else: orders to the disk, sleep, and what became due in it.
extension TimersBenchmark {
    private static let orders = 1000
    /// Of starting them all in one order.
    private static let rounds = 5

    static func cost(on stage: Stage) throws -> [Row] {
        let socket = stage.path(".socket")
        let host = try stage.host([], plugins: "  laundry: { module: LaundryTimers, tick: false }\n", socket: socket)
        defer { host.kill() }
        try waitForSocket(socket, host)
        let connection = try KeptConnection(socket)
        for pet in 0..<crowd { try connection.send(call("pet-add", #"{"id":"pet\#(pet)"}"#)) }
        let starts = try single(connection, stage)
        let order = start((0..<crowd).map { ($0, 3_600_000) })
        var many: [Double] = []
        while many.count < rounds {
            if !many.isEmpty { try stopAll(connection) }
            many.append(try seconds { try connection.send(order) } * 1e6 / Double(crowd))
        }
        let switches = try switches(host)
        // The host lets go of a connection that was quiet for so long.
        let late = try asleep(host, KeptConnection(socket))
        func row(_ name: String, _ what: String, _ quantile: Double) -> Row {
            Row(
                name: name, what: what, unit: "µs", mediahost: Series([Series(starts.ours).quantile(quantile)]),
                peerName: "4 KiB + fdatasync", peer: Series([Series(starts.disk).quantile(quantile)]))
        }
        return [
            row("timers.start", "one start, from order to answer, on the disk: median", 0.5),
            row("timers.start99", "the same, p99 (goal: 1000)", 0.99),
            Row(
                name: "timers.many", what: "start-many of \(crowd) in one order, each (goal: 12.5)", unit: "µs",
                mediahost: Series(many)),
            Row(
                name: "timers.switches", what: "context switches in 60 s with \(crowd) running (goal: 0)", unit: "",
                mediahost: Series([switches])),
            Row(
                name: "timers.asleep",
                what: "\(crowd) due while it was stopped: on the disk and in `list` (goal: 1000)",
                unit: "ms", mediahost: Series([late * 1e3])),
        ]
    }

    private static func stopAll(_ connection: KeptConnection) throws {
        for pet in 0..<crowd { try connection.send(call("stop", #"{"pet":"pet\#(pet)"}"#)) }
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let begin = monotonic()
        try body()
        return Double(monotonic() - begin) / 1e9
    }

    /// Each beside the least that it can be: a page of a file that is on the disk, in turns.
    private static func single(
        _ connection: KeptConnection, _ stage: Stage
    ) throws -> (ours: [Double], disk: [Double]) {
        let file = open(stage.path(".pages"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard file >= 0 else { throw BenchError("cannot write to \(stage.folder): \(lastError())") }
        defer { close(file) }
        let page = [UInt8](repeating: 7, count: 4096)
        var found: (ours: [Double], disk: [Double]) = ([], [])
        for pet in 0..<orders {
            let request = call("start", #"{"pet":"pet\#(pet)","kind":"wash"}"#)
            found.ours.append(try seconds { try connection.send(request) } * 1e6)
            try connection.send(call("stop", #"{"pet":"pet\#(pet)"}"#))
            found.disk.append(
                try seconds {
                    guard write(file, page, page.count) == page.count, fdatasync(file) == 0 else {
                        throw BenchError("cannot write to \(stage.folder): \(lastError())")
                    }
                } * 1e6)
        }
        return found
    }

    private static func switches(_ host: Child) throws -> Double {
        // What the last order was followed by: a worker without work ends after 15 s, a quiet connection after 60.
        try host.run(for: 70)
        let before = try host.switches()
        try host.run(for: 60)
        return try host.switches().reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }
    }

    /// A stopped process stands for a machine that sleeps: its timers go on.
    /// - Returns: seconds from its end until all are in `list`.
    private static func asleep(_ host: Child, _ connection: KeptConnection) throws -> Double {
        try stopAll(connection)
        try connection.send(start((0..<crowd).map { ($0, 2000) }))
        kill(host.pid, SIGSTOP)
        try host.run(for: 3)
        return try seconds {
            kill(host.pid, SIGCONT)
            var due = 0
            while due < crowd {
                let answer = try connection.send(call("list", #"{"limit":1}"#))
                let list = try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any]
                due = list?["due"] as? Int ?? 0
            }
        }
    }
}
