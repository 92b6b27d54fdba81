import Dispatch
import Glibc
import Locking
import Synchronization
import Testing

@testable import GStreamerKit

/// A player whose pictures are taken out and put back, with ears at its audio sink and eyes at its video sink.
final class SwitchedPlayer: Sendable {
    /// What arrived at the audio sink.
    struct Heard: Sendable {
        var buffers = 0
        var lastEnd: ClockTime?
        /// Between the end of one buffer and the beginning of the next, by their timestamps.
        var largestJump = ClockTime.zero
    }

    /// What arrived at the video sink since it was last put back.
    struct Seen: Sendable {
        /// With when they came, before the sink waits for their time.
        var pictures: [(pts: ClockTime, sum: UInt64, arrival: ClockTime)] = []
        /// The first that was not over when it arrived.
        var right: ClockTime?
    }

    let pipeline: Pipeline
    let output: VideoOutput
    private var time: RunningTime { output.time }
    private let pads: [Pad]
    private let heard = Locked(Heard())
    private let seen = Locked(Seen())
    private let news: News
    private let rounds = Atomic(0)

    private final class News: Sendable {
        /// How often each was told, by number and word.
        let said = Locked<[String: Int]>([:])
    }

    /// - Parameter launch: with sinks `ears` and `eyes`.
    init?(_ launch: String) throws {
        guard let pipeline = try Self.prerolled(launch) else { return nil }
        self.pipeline = pipeline
        let news = News()
        self.news = news
        guard
            let output = VideoOutput(
                of: pipeline,
                onNews: { number, what in news.said.withLock { $0["\(number) \(Self.word(what))", default: 0] += 1 } })
        else {
            pipeline.setState(.null)
            return nil
        }
        self.output = output
        pads = ["ears", "eyes"].compactMap { pipeline.element(named: $0)?.pad(named: "sink") }
        guard pads.count == 2 else { return nil }
        _ = pads[0].addProbe { [weak self] data in
            guard case .buffer(let buffer) = consume data, let self else { return .pass }
            self.hear(buffer)
            return .pass
        }
        _ = pads[1].addProbe { [weak self] data in
            guard case .buffer(let buffer) = consume data, let self else { return .pass }
            self.see(buffer)
            return .pass
        }
    }

    /// As the host does after a start-timeout: on a busy machine one of about fifty starts of 1.22's playbin3 stands for ever
    /// without a word (docs/lifecycle.md).
    private static func prerolled(_ launch: String) throws -> Pipeline? {
        for _ in 0..<5 {
            let pipeline = try Pipeline(launch: launch, name: "player")
            pipeline.setState(.paused)
            switch pipeline.state(timeout: .seconds(20)).result {
            case .success: return pipeline
            case .noPreroll:
                pipeline.setState(.playing)
                let eyes = pipeline.element(named: "eyes")?.pad(named: "sink")
                return wait { eyes?.currentCaps != nil } ? pipeline : nil
            case .pending: pipeline.setState(.null)
            default: return nil
            }
        }
        return nil
    }

    private func hear(_ buffer: borrowing BufferView) {
        guard let pts = buffer.pts, let duration = buffer.duration else { return }
        heard.withLock { heard in
            heard.buffers += 1
            if let end = heard.lastEnd {
                heard.largestJump = max(heard.largestJump, ClockTime(nanoseconds: abs((pts - end).nanoseconds)))
            }
            heard.lastEnd = pts + duration
        }
    }

    private func see(_ buffer: borrowing BufferView) {
        guard let pts = buffer.pts, let begin = pads[1].currentSegment?.runningTime(of: pts) else { return }
        let now = time.now
        let isOver = begin + (buffer.duration ?? .zero) <= now
        let sum = ReferencePictures.sum(buffer)
        seen.withLock { seen in
            seen.pictures.append((pts, sum, now))
            if seen.right == nil, !isOver { seen.right = pts }
        }
    }

    var hearing: Heard { heard.withLock { $0 } }
    var sight: Seen { seen.withLock { $0 } }
    private var said: [String: Int] { news.said.withLock { $0 } }
    var now: ClockTime { time.now }

    /// Waits for what is true sooner or later; false where it is not within two minutes, or so many milliseconds.
    static func wait(limit: Int = 120_000, _ isSo: () -> Bool) -> Bool {
        for _ in 0..<limit {
            if isSo() { return true }
            usleep(1000)
        }
        return false
    }

    func said(_ word: String) -> Int { said.reduce(0) { $0 + ($1.key.hasSuffix(word) ? $1.value : 0) } }

    /// Takes the pictures out. False where they do not go.
    /// - Parameter then: done when they are held, whether idle or not.
    func hide(then: () -> Void = {}) -> Bool {
        var expected = (0..<output.streamCount).map { idles(of: $0) + 1 }
        let round = rounds.add(1, ordering: .relaxed).newValue
        output.hide(round: round)
        then()
        var turns = MixingTurns(at: Self.monotonic)
        for _ in 0..<120_000 {
            let resting = Set(expected.indices.filter { idles(of: $0) >= expected[$0] })
            if resting.count == expected.count {
                output.end()
                return true
            }
            usleep(1000)
            // As the host does.
            guard output.isMixed else { continue }
            for stream in resting { turns.rest(stream, at: Self.monotonic) }
            guard let number = turns.next(of: resting, at: Self.monotonic) else { continue }
            expected[number] = idles(of: number) + 1
            Thread.detach { [output] in output.giveOne(of: number, round: round) }
        }
        // Whoever reads of it must know who waits for what.
        Issue.record(
            "at \(time.now): told \(said), awaited \(expected), turns \(turns), levels \(levels)")
        return false
    }

    private static var monotonic: ClockTime {
        ClockTime(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds))
    }

    /// What queues hold, by name.
    private var levels: [String: String] {
        pipeline.elements.filter { $0.factoryName == "queue" }
            .reduce(into: [:]) { $0[$1.name] = $1.text(of: "current-level-buffers") }
    }

    private static func word(_ news: VideoOutput.News) -> String {
        switch news {
        case .idle: "idle"
        case .due: "due"
        case .end: "end"
        case .goesOn: "goesOn"
        }
    }

    /// Is told to take them out, and not to, before they are gone.
    func changeMind() {
        output.hide(round: rounds.add(1, ordering: .relaxed).newValue)
        output.beginFeeding()
        Self.feed(output)
    }

    private func idles(of number: Int) -> Int { said["\(number) idle", default: 0] }

    /// Puts them back; each stream is fed by a thread of its own.
    func show() {
        forgetPictures()
        output.show()
        output.beginFeeding()
        Self.feed(output)
    }

    func forgetPictures() { seen.withLock { $0 = Seen() } }

    static func feed(_ output: VideoOutput) {
        for number in 0..<output.streamCount {
            Thread.detach { output.feed(number) }
        }
    }

    /// Whether each stream has said so; one that has says it again when it is held again.
    var isOver: Bool { (0..<output.streamCount).allSatisfy { number in said["\(number) end"] != nil } }

    /// Whether the end is told within two minutes.
    var ends: Bool {
        while let message = pipeline.bus.next(timeout: .seconds(120)) {
            if case .endOfStream = message { return true }
        }
        return false
    }

    func end() {
        pipeline.setState(.null)
        output.cancel()
    }
}

/// A thread of this test's own.
private enum Thread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    static func detach(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Body(body)).toOpaque()
        Handover.give(box)
        let failure = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Handover.take(context)
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, box)
        if failure == 0 { pthread_detach(thread) } else { Issue.record("no thread: error \(failure)") }
    }
}
