import Foundation

/// What it costs to keep a minute, or five, of H.264, AAC and Opus and to save it: 4 Mbit/s, from the ring to the disk.
///
/// The recording comes from a source that is not live, so a minute of it is there after seconds; that what is saved is durable is the
/// plugin's promise, so the peer is `dd conv=fdatasync` of a file of the same size, taking turns.
enum ReplayBenchmark: Benchmark {
    static let name = "replay"
    static let summary =
        "ReplayBuffer: one and five minutes (30 and 150 MB) kept in memory and saved, durable on the disk; scrubbing"
    static let defaultRuns = 30

    private static let atOnce = 8
    private static let containers = [".mp4", ".mkv"]

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let runs = runs ?? defaultRuns
        return try minute(on: stage, runs: runs) + long(on: stage, runs: runs) + scrub(on: stage, runs: runs * 10)
    }

    /// 4 Mbit/s of H.264 with AAC and Opus, a little longer than what is saved; the muxer keeps the three together.
    private static func recording(seconds: Int) -> String {
        let length = seconds + 3
        return "videotestsrc num-buffers=\(length * 25) pattern=snow ! video/x-raw,width=320,height=240,framerate=25/1"
            + " ! x264enc bitrate=4000 speed-preset=ultrafast key-int-max=25 ! h264parse name=encoded ! queue ! mux."
            + " audiotestsrc num-buffers=\(length * 48) samplesperbuffer=1000 ! audio/x-raw,rate=48000 ! tee name=sound"
            + " sound. ! queue ! audioconvert ! voaacenc ! aacparse name=aac ! queue ! mux."
            + " sound. ! queue ! audioconvert ! opusenc ! opusparse name=opus ! queue ! mux."
            + " matroskamux name=mux ! fakesink"
    }

    private static func instance(seconds: Int, memory: String) -> String {
        "  replay: { module: ReplayBuffer, video: p0/encoded.src, audio: [p0/aac.src, p0/opus.src], window: \(seconds)s,"
            + " memory: \(memory) }\n"
    }

    private static func minute(on stage: Stage, runs: Int) throws -> [Row] {
        let socket = stage.path(".socket")
        let recorded = recording(seconds: 60)
        let host = try stage.host(
            [recorded, "\(Pipelines.camera) ! fakesink"], more: "autostart: false",
            plugins: instance(seconds: 60, memory: "64MiB")
                + "  live: { module: ReplayBuffer, video: p1/encoded.src, window: 30s, memory: 16MiB }\n",
            socket: socket)
        defer { host.kill() }
        let control = try record(60, host, socket, on: stage)
        let (empty, kept) = (control.empty, try status(control.connection, "replay"))
        let growth = try ((host.memory()["Pss"] ?? 0) - empty) * 1024 - growthWithout(recorded, on: stage)
        let saved = try containers.flatMap { container in
            try saves(control.connection, on: stage, as: container, seconds: 60, runs: runs)
                .rows("replay.save", "60 s", container, goal: "1.3 x dd + 100 ms")
        }
        try control.connection.send(KeptConnection.post("/v1/pipelines/p1/start", "{}"))
        try until("live pictures", host) { try status(control.connection, "live").frames > 25 }
        let together = try seconds { try saveAtOnce(socket, stage) } * 1e3
        let lost = try status(control.connection, "live").lost
        return saved + [
            Row(
                name: "replay.eight", what: "\(atOnce) of them at once, all of them", unit: "ms",
                mediahost: Series([together])),
            Row(
                name: "replay.lost", what: "frames lost live meanwhile (goal: 0)", unit: "",
                mediahost: Series([Double(lost)])),
            Row(
                name: "replay.memory",
                what:
                    "memory over the \(kept.bytes / 1_000_000) MB of H.264, AAC and Opus that are kept, without the pipeline's"
                    + " (goal: 2 % + 4 MB)", unit: "MB",
                mediahost: Series([(growth - Double(kept.bytes)) / 1e6])),
        ]
    }

    private static func long(on stage: Stage, runs: Int) throws -> [Row] {
        let socket = stage.path(".socket")
        let host = try stage.host(
            [recording(seconds: 300)], more: "autostart: false", plugins: instance(seconds: 300, memory: "256MiB"),
            socket: socket)
        defer { host.kill() }
        let control = try record(300, host, socket, on: stage)
        return try containers.flatMap { container in
            try saves(control.connection, on: stage, as: container, seconds: 300, runs: runs)
                .rows("replay.long", "300 s", container, goal: "1.3 x dd + 600 ms")
        }
    }

    /// - Returns: where the host is asked, and what it took before, in KiB.
    private static func record(
        _ length: Int, _ host: Child, _ socket: String, on stage: Stage
    ) throws -> (connection: KeptConnection, empty: Double) {
        try TimersBenchmark.waitForSocket(socket, host)
        let control = try KeptConnection(socket)
        let empty = try host.memory()["Pss"] ?? 0
        try control.send(KeptConnection.post("/v1/pipelines/p0/start", "{}"))
        // What comes after that would be in one clip and not in the next.
        try until("the recording", host) { try isFinished(stage, socket) }
        guard try status(control, "replay").newest >= Int64(length + 1) * 1_000_000_000 else {
            throw BenchError("the recording is shorter than \(length) s\(host.said)")
        }
        return (control, empty)
    }

    private struct Saves {
        var bytes: Int
        /// In milliseconds.
        var ours: Series
        var peer: Series

        func rows(_ name: String, _ length: String, _ container: String, goal: String) -> [Row] {
            func row(_ name: String, _ what: String, _ quantile: Double) -> Row {
                Row(
                    name: name, what: what, unit: "ms", mediahost: Series([ours.quantile(quantile)]), peerName: "dd",
                    peer: Series([peer.quantile(quantile)]))
            }
            return [
                row("\(name)\(container)", "\(length), \(bytes / 1_000_000) MB, to the disk: median", 0.5),
                row("\(name)99\(container)", "the same, p99 (goal: \(goal))", 0.99),
            ]
        }
    }

    private static func saves(
        _ control: KeptConnection, on stage: Stage, as container: String, seconds length: Int, runs: Int
    ) throws -> Saves {
        let (clip, copy) = (stage.path(container), stage.path(".copy"))
        let first = try save(control, clip, seconds: length)
        let times = try Turns.take([true, false], runs) { isOurs in
            try seconds {
                if isOurs { try save(control, clip, seconds: length, as: first) } else { try dd(clip, copy, on: stage) }
            } * 1e3
        }
        return Saves(bytes: first.bytes, ours: times[0], peer: times[1])
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
        try until("the end", host) { try isFinished(stage, socket) }
        return try ((host.memory()["Pss"] ?? 0) - empty) * 1024
    }

    private static func isFinished(_ stage: Stage, _ socket: String) throws -> Bool {
        let pipelines = try stage.status(socket)["pipelines"] as? [String: [String: Any]]
        return pipelines?["p0"]?["state"] as? String == "finished"
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

    private struct Clip: Decodable {
        var bytes: Int
        var frames: Int
        var audio_frames: Int
        var duration: Int64

        /// Of the same frames; in Matroska the random numbers of the tracks make the size differ.
        func holdsThoseOf(_ other: Clip) -> Bool {
            (frames, audio_frames, duration) == (other.frames, other.audio_frames, other.duration)
        }
    }

    @discardableResult
    private static func save(
        _ control: KeptConnection, _ path: String, seconds: Int, as expected: Clip? = nil
    ) throws -> Clip {
        let answer = try control.send(
            KeptConnection.post(
                "/v1/plugins/replay/commands/save", #"{"last":"\#(seconds)s","to":"\#(path)","overwrite":true}"#))
        guard let clip = try? JSONDecoder().decode(Clip.self, from: Data(answer)),
            expected.map(clip.holdsThoseOf) ?? true
        else { throw BenchError("the clip is \(String(decoding: answer, as: UTF8.self))") }
        return clip
    }

    private static func dd(_ source: String, _ copy: String, on stage: Stage) throws {
        try? FileManager.default.removeItem(atPath: copy)
        try Child(["/bin/dd", "if=\(source)", "of=\(copy)", "bs=1M", "conv=fdatasync", "status=none"], on: stage)
            .waitForSuccess(within: 60)
    }

    private static func saveAtOnce(_ socket: String, _ stage: Stage) throws {
        let targets = (0..<atOnce).map { stage.path("-\($0).mp4") }
        let failures = Failures()
        DispatchQueue.concurrentPerform(iterations: atOnce) { index in
            do {
                try save(KeptConnection(socket), targets[index], seconds: 60)
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
