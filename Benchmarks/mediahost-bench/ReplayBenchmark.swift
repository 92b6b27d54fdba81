import Foundation

/// What it costs to keep a minute of H.264 and to save it: 60 s at 4 Mbit/s, from the ring to the disk.
///
/// The recording comes from a source that is not live, so a minute of it is there after seconds; that what is saved is durable is the
/// plugin's promise, so the peer is `dd conv=fdatasync` of a file of the same size, taking turns.
enum ReplayBenchmark: Benchmark {
    static let name = "replay"
    static let summary = "ReplayBuffer: a minute of H.264 (about 30 MB) kept in memory and saved, durable on the disk"
    static let defaultRuns = 30

    private static let frames = 1575
    private static let atOnce = 8

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let socket = stage.path(".socket")
        let recorded =
            "videotestsrc num-buffers=\(frames) pattern=snow ! video/x-raw,width=320,height=240,framerate=25/1"
            + " ! x264enc bitrate=4000 speed-preset=ultrafast key-int-max=25 ! h264parse name=encoded ! fakesink"
        let live = "\(Pipelines.camera) ! fakesink"
        let host = try stage.host(
            [recorded, live], more: "autostart: false",
            plugins: "  replay: { module: ReplayBuffer, video: p0/encoded.src, window: 60s, memory: 64MiB }\n"
                + "  live: { module: ReplayBuffer, video: p1/encoded.src, window: 30s, memory: 16MiB }\n",
            socket: socket)
        defer { host.kill() }
        try TimersBenchmark.waitForSocket(socket, host)
        let control = try KeptConnection(socket)
        let empty = try host.memory()["Pss"] ?? 0
        try control.send(KeptConnection.post("/v1/pipelines/p0/start", "{}"))
        try until("the recording", host) { try status(control, "replay").newest >= Int64(frames) * 40_000_000 }
        let kept = try status(control, "replay")
        let growth = try ((host.memory()["Pss"] ?? 0) - empty) * 1024 - growthWithout(recorded, on: stage)
        let clip = stage.path(".mkv")
        let bytes = try save(control, clip)
        let copy = stage.path(".copy")
        let saves = try Turns.take([true, false], runs ?? defaultRuns) { isOurs in
            try seconds { if isOurs { try save(control, clip, bytes) } else { try dd(clip, copy, on: stage) } } * 1e3
        }
        try control.send(KeptConnection.post("/v1/pipelines/p1/start", "{}"))
        try until("live pictures", host) { try status(control, "live").frames > 25 }
        let together = try seconds { try saveAtOnce(socket, stage) } * 1e3
        let lost = try status(control, "live").lost
        func row(_ name: String, _ what: String, _ quantile: Double) -> Row {
            Row(
                name: name, what: what, unit: "ms", mediahost: Series([saves[0].quantile(quantile)]), peerName: "dd",
                peer: Series([saves[1].quantile(quantile)]))
        }
        return [
            row("replay.save", "60 s, \(bytes / 1_000_000) MB, to the disk: median", 0.5),
            row("replay.save99", "the same, p99 (goal: 1.3 x dd + 100 ms)", 0.99),
            Row(
                name: "replay.eight", what: "\(atOnce) of them at once, all of them", unit: "ms",
                mediahost: Series([together])),
            Row(
                name: "replay.lost", what: "frames lost live meanwhile (goal: 0)", unit: "",
                mediahost: Series([Double(lost)])),
            Row(
                name: "replay.memory",
                what: "memory over the \(kept.bytes / 1_000_000) MB that are kept, without the pipeline's", unit: "MB",
                mediahost: Series([(growth - Double(kept.bytes)) / 1e6])),
        ] + (try scrub(on: stage, runs: (runs ?? defaultRuns) * 10))
    }

    /// What the pipeline itself takes, in bytes.
    private static func growthWithout(_ pipeline: String, on stage: Stage) throws -> Double {
        let socket = stage.path(".socket")
        let host = try stage.host([pipeline], more: "autostart: false", socket: socket)
        defer { host.kill() }
        try TimersBenchmark.waitForSocket(socket, host)
        let control = try KeptConnection(socket)
        let empty = try host.memory()["Pss"] ?? 0
        try control.send(KeptConnection.post("/v1/pipelines/p0/start", "{}"))
        try until("the end", host) {
            let pipelines = try stage.status(socket)["pipelines"] as? [String: [String: Any]]
            return pipelines?["p0"]?["state"] as? String == "finished"
        }
        return try ((host.memory()["Pss"] ?? 0) - empty) * 1024
    }

    struct Status: Decodable {
        struct Drops: Decodable {
            var oversized_frames: Int?
            var held_frames: Int?
        }

        var frames: Int
        var bytes: Int
        var newest: Int64
        var dropped: Drops

        /// What came before the first key frame is none.
        var lost: Int { (dropped.oversized_frames ?? 0) + (dropped.held_frames ?? 0) }
    }

    static func status(_ control: KeptConnection, _ plugin: String) throws -> Status {
        let answer = try control.send(KeptConnection.post("/v1/plugins/\(plugin)/commands/status", "{}"))
        return try JSONDecoder().decode(Status.self, from: Data(answer))
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let begin = monotonic()
        try body()
        return Double(monotonic() - begin) / 1e9
    }

    static func until(_ what: String, _ host: Child, _ isThere: () throws -> Bool) throws {
        for _ in 0..<600 {
            if try isThere() { return }
            try host.run(for: 0.1)
        }
        throw BenchError("awaited \(what)\(host.said)")
    }

    /// - Returns: the size of the clip.
    @discardableResult
    private static func save(_ control: KeptConnection, _ path: String, _ expected: Int? = nil) throws -> Int {
        let answer = try control.send(
            KeptConnection.post(
                "/v1/plugins/replay/commands/save", #"{"last":"60s","to":"\#(path)","overwrite":true}"#))
        let clip = try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any]
        guard let bytes = clip?["bytes"] as? Int, expected.map({ $0 == bytes }) ?? true else {
            throw BenchError("the clip is \(String(decoding: answer, as: UTF8.self))")
        }
        return bytes
    }

    private static func dd(_ source: String, _ copy: String, on stage: Stage) throws {
        try? FileManager.default.removeItem(atPath: copy)
        try Child(["/bin/dd", "if=\(source)", "of=\(copy)", "bs=1M", "conv=fdatasync", "status=none"], on: stage)
            .waitForSuccess(within: 60)
    }

    private static func saveAtOnce(_ socket: String, _ stage: Stage) throws {
        let targets = (0..<atOnce).map { stage.path("-\($0).mkv") }
        let failures = Failures()
        DispatchQueue.concurrentPerform(iterations: atOnce) { index in
            do {
                try save(KeptConnection(socket), targets[index])
            } catch {
                failures.add("\(error)")
            }
        }
        if let first = failures.all.first {
            throw BenchError("of \(atOnce) saves \(failures.all.count) failed: \(first)")
        }
    }

    /// Of several threads.
    private final class Failures: @unchecked Sendable {
        private let lock = NSLock()
        private var texts: [String] = []

        func add(_ text: String) { lock.withLock { texts.append(text) } }

        var all: [String] { lock.withLock { texts } }
    }
}
