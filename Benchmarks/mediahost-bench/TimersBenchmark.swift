import Foundation

/// How late a timer of LaundryTimers is told: from its end to the event, whose commit follows.
///
/// 1,000 pets, whose timers end a millisecond after each other, on an idle machine and on one whose processors all have something else to
/// do; then ten times as many at once. Beside it a loop that sleeps until each of these moments and does nothing: as early as
/// the kernel lets anybody be; and, in turns with it, one that writes a page to the disk each time: as early as the disk does.
enum TimersBenchmark: Benchmark {
    static let name = "timers"
    static let summary =
        "Timers: from a timer's end to its event; 1,000 a second, 10,000 at once; what 10,000 cost"
    static let defaultRuns = 10

    private static let pets = 1000
    static let crowd = 10_000
    private static let event = "org.mediahost.laundry-timers"

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        // One host after the other: they have the same store.
        try lateness(on: stage, runs: runs) + cost(on: stage)
    }

    /// How late each of them was, in microseconds.
    private struct Round {
        var told: [Double]
        var slept: [Double]
        var written: [Double]
    }

    private static func lateness(on stage: Stage, runs: Int?) throws -> [Row] {
        let socket = stage.path(".socket")
        let host = try stage.host(
            [],
            plugins: "  laundry: { module: LaundryTimers, tick: false }\n", socket: socket)
        defer { host.kill() }
        try waitForSocket(socket, host)
        let orders = try KeptConnection(socket)
        for pet in 0..<crowd { try orders.send(call("pet-add", #"{"id":"pet\#(pet)"}"#)) }
        let file = open(stage.path(".moments"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard file >= 0 else { throw BenchError("cannot write to \(stage.folder): \(lastError())") }
        defer { close(file) }
        func round() throws -> Round {
            let sleeper = SleepLoop(count: pets)
            let told = try told(socket, host) {
                try orders.send(start((0..<pets).map { ($0, 1000 + $0) }))
                sleeper.start()
            }
            let writer = SleepLoop(count: pets, file: file)
            writer.start()
            return Round(told: told, slept: sleeper.late(), written: writer.late())
        }
        let idle = try (0..<(runs ?? defaultRuns)).map { _ in try round() }
        let spinners = try (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
            try Process.run(URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", "while :; do :; done"])
        }
        let busy: [Round]
        do {
            defer { for spinner in spinners { spinner.terminate() } }
            busy = try (0..<(runs ?? defaultRuns)).map { _ in try round() }
        }
        let late = idle.flatMap(\.told)
        // The stream forgets what a client has not read of so much, but never the newest.
        let burst = try told(socket, host, last: "pet\(crowd - 1)") {
            try orders.send(start((0..<crowd).map { ($0, 3000) }))
        }
        let all = late + busy.flatMap(\.told)
        func rows(_ name: String, _ what: String, _ rounds: [Round], _ quantile: Double) -> [Row] {
            func series(_ late: KeyPath<Round, [Double]>) -> Series {
                Series([Series(rounds.flatMap { $0[keyPath: late] }).quantile(quantile)])
            }
            return [
                Row(
                    name: name, what: what, unit: "µs", mediahost: series(\.told), peerName: "sleep loop",
                    peer: series(\.slept)),
                Row(
                    name: name + ".disk", what: "the same, beside a loop that syncs", unit: "µs",
                    mediahost: series(\.told),
                    peerName: "sleep, 4 KiB, fdatasync", peer: series(\.written)),
            ]
        }
        return rows("timers.late", "end of a timer to its event, median", idle, 0.5)
            + rows("timers.late99", "the same, p99 (goal: 1000)", idle, 0.99)
            + rows("timers.busy", "processors busy: median", busy, 0.5)
            + rows("timers.busy99", "processors busy: p99 (goal: 5000)", busy, 0.99) + [
                Row(
                    name: "timers.early", what: "the earliest of \(all.count); never below 0", unit: "µs",
                    mediahost: Series([Series(all).minimum])),
                Row(
                    name: "timers.burst", what: "\(crowd) at once, the last of them", unit: "ms",
                    mediahost: Series([Series(burst).maximum / 1000])),
            ]
    }

    static func waitForSocket(_ socket: String, _ host: Child) throws {
        for _ in 0..<200 {
            if let file = try? ControlCall.connected(to: socket) {
                close(file)
                return
            }
            try host.run(for: 0.05)
        }
        throw BenchError("the host does not listen\(host.said)")
    }

    static func call(_ command: String, _ body: String) -> [UInt8] {
        KeptConnection.post("/v1/plugins/laundry/commands/\(command)", body)
    }

    static func start(_ timers: [(pet: Int, milliseconds: Int)]) -> [UInt8] {
        let texts = timers.map { #"{"pet":"pet\#($0.pet)","kind":"wash","duration":"\#($0.milliseconds)ms"}"# }
        return call("start-many", #"{"timers":[\#(texts.joined(separator: ","))]}"#)
    }

    /// How late each of them was, in microseconds: the event's time less the timer's end.
    private static func told(
        _ socket: String, _ host: Child, last: String = "pet\(pets - 1)", _ start: () throws -> Void
    ) throws -> [Double] {
        let file = try ControlCall.listen("/v1/events?filter=\(event).finished,\(event).finished-many", socket)
        defer { close(file) }
        try start()
        var late: [Double] = []
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var isOver = false
        while !isOver {
            let got = read(file, &chunk, chunk.count)
            guard got > 0 else { throw BenchError("the events ended after \(late.count) timers\(host.said)") }
            text += chunk[..<got]
            while let end = text.firstIndex(of: 0x0a) {
                let line = text[..<end]
                if line.starts(with: Array("data: ".utf8)) {
                    let timers = try lateness(Data(line.dropFirst(6)))
                    late += timers.map(\.late)
                    isOver = isOver || timers.contains { $0.pet == last }
                }
                text.removeSubrange(...end)
            }
        }
        return late
    }

    private static func lateness(_ json: Data) throws -> [(pet: String, late: Double)] {
        let event = try JSONSerialization.jsonObject(with: json) as? [String: Any] ?? [:]
        guard event["name"] as? String != "gap" else { return [] }
        guard let payload = event["payload"] as? [String: Any], let time = event["time"] as? String
        else { throw BenchError("an event is \(String(decoding: json, as: UTF8.self))") }
        let parser = ISO8601DateFormatter()
        parser.formatOptions = [.withInternetDateTime]
        // Microseconds, which the parser would round to milliseconds.
        guard let dot = time.lastIndex(of: "."), let second = parser.date(from: time[..<dot] + "Z"),
            let fraction = Int(time[dot...].dropFirst().dropLast())
        else { throw BenchError("\(time) is no time") }
        let told = Int(second.timeIntervalSince1970) * 1_000_000 + fraction
        let timers = payload["timers"] as? [[String: Any]] ?? [payload]
        return try timers.map { timer in
            guard let end = timer["finished_at"] as? Int, let pet = timer["pet"] as? String else {
                throw BenchError("no finished_at in \(timer)")
            }
            return (pet, Double(told * 1000 - end) / 1000)
        }
    }
}
