import Foundation

/// The last ten seconds of a camera, kept and saved: by ReplayBuffer and by what others use for it, in turns.
///
/// All get the same H.264 over RTSP. Numbers in its pictures say what a clip has of what was asked for.
enum ReplayPeersBenchmark: Benchmark {
    static let name = "replay-peers"
    static let summary =
        "The last 10 s of a live camera, saved: beside splitmuxsink, motion and OBS where they are installed"
    static let defaultRuns = 3

    /// Seconds.
    static let asked = 10

    /// One that is measured.
    private struct Kind {
        var name: String
        /// By program: where it comes from.
        var needs: [String: String] = [:]
        var start: (String, Stage) throws -> any ReplayRecorder

        var missing: String? {
            let packages = needs.filter { Tool.find($0.key) == nil }.values.sorted()
            return packages.isEmpty ? nil : "not there (Debian: \(packages.joined(separator: ", ")))"
        }
    }

    private static let ours = "mediahost"
    private static var kinds: [Kind] {
        [
            Kind(name: ours, start: ReplayBufferRecorder.init),
            Kind(name: "splitmuxsink, complete") { try SplitRecorder($0, on: $1, isComplete: true) },
            Kind(name: "splitmuxsink, at once") { try SplitRecorder($0, on: $1, isComplete: false) },
            Kind(name: "motion", needs: ["motion": "motion"], start: MotionRecorder.init),
            Kind(name: "OBS", needs: ["obs": "obs-studio", "Xvfb": "xvfb"], start: OBSRecorder.init),
        ]
    }

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let film = try NumberedFilm(on: stage)
        var absent: [String: String] = [:]
        for kind in kinds { absent[kind.name] = kind.missing }
        var found: [String: [ReplayFigures]] = [:]
        for run in 0..<(runs ?? defaultRuns) {
            for step in kinds.indices {
                let kind = kinds[(step + run) % kinds.count]
                guard absent[kind.name] == nil else { continue }
                do {
                    found[kind.name, default: []].append(try measure(kind, film, stage))
                } catch let error as BenchError where kind.name != ours {
                    absent[kind.name] = "failed, see above"
                    FileHandle.standardError.write(Data("mediahost-bench: \(kind.name): \(error.text)\n".utf8))
                }
            }
        }
        guard let own = found[ours] else { throw BenchError("nothing was measured") }
        return kinds.dropFirst().flatMap { peer in
            ReplayFigures.columns.map { column in
                Row(
                    name: "replay-peers.\(column.name)", what: column.what, unit: column.unit,
                    mediahost: Series(own.map(column.value)),
                    peerName: absent[peer.name].map { "\(peer.name): \($0)" } ?? peer.name,
                    peer: absent[peer.name] == nil ? found[peer.name].map { Series($0.map(column.value)) } : nil)
            }
        }
    }

    private static func measure(_ kind: Kind, _ film: NumberedFilm, _ stage: Stage) throws -> ReplayFigures {
        let camera = try NumberedCamera(film)
        defer { camera.stop() }
        let recorder = try kind.start(camera.address, stage)
        let process = recorder.process
        defer { process.kill() }
        try camera.wait(until: 6, while: process)
        let (before, begin) = (try process.processorSeconds(), monotonic())
        // Between two key frames.
        try camera.wait(until: 16.5, while: process)
        let processor = (try process.processorSeconds() - before) * 1e11 / Double(monotonic() - begin)
        let memory = (try process.memory()["Rss"] ?? 0) / 1024

        let first = try save(recorder, camera)
        try camera.wait(until: 22.5, while: process)
        let second = try save(recorder, camera)
        try recorder.ask()
        try recorder.ask()
        var files = 0
        while files < 2, try recorder.finished(within: 10) != nil { files += 1 }

        let numbers = try [first.file, second.file].map { try NumberedFilm.numbers($0, on: stage) }
        let verdict = ClipVerdict(numbers[0], newest: first.newest, count: asked * NumberedFilm.rate)
        let (from, to) = (numbers[0].max() ?? -1, numbers[1].max() ?? -1)
        guard from >= 0, to > from else { throw BenchError("\(kind.name): its clips end with \(from) and \(to)") }
        let seen = Set(numbers[0] + numbers[1])
        let picture = 1 / Double(NumberedFilm.rate)
        return ReplayFigures(
            closed: first.closed, durable: first.durable, missing: Double(verdict.missing),
            late: Double(verdict.late) * picture * 1e3, doubled: Double(verdict.doubled),
            excess: Double(verdict.excess) * picture, lost: Double((from...to).count { !seen.contains($0) }),
            twice: Double(files), memory: memory, processor: processor)
    }

    private struct Save {
        var file: String
        /// The camera's newest picture when it was asked for.
        var newest: Int
        /// Milliseconds from then on.
        var closed: Double
        var durable: Double
    }

    private static func save(_ recorder: any ReplayRecorder, _ camera: NumberedCamera) throws -> Save {
        let newest = camera.newest
        let begin = monotonic()
        try recorder.ask()
        guard let file = try recorder.finished(within: 30) else {
            throw BenchError("no clip within 30 s\(recorder.process.said)")
        }
        let closed = Double(monotonic() - begin) / 1e6
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, fdatasync(descriptor) == 0 else { throw BenchError("\(file): \(lastError())") }
        return Save(file: file, newest: newest, closed: closed, durable: Double(monotonic() - begin) / 1e6)
    }
}
