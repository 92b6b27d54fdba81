import Foundation
import GStreamerKit
import HostTestKit
import Locking
import Testing

@testable import ReplayBuffer

/// What the player does to the ring and to its output, without a decoder: bytes that say which frame they are.
@Suite(.serialized) struct ReplayPlayerTests {
    private static let step = second / 30

    /// A store that is fed, a player, and a pipeline that writes down what it gets.
    private final class Stage: Sendable {
        let store: ReplayStore
        let player: ReplayPlayer
        let source: AppSource
        let output: Pipeline
        private let instance: FakeInstance
        let tap: FakeTap
        private let probe: PadProbe?
        let got = Got()
        let gate = Gate()

        final class Got: Sendable {
            private let numbers = Locked<[Int]>([])
            func add(_ number: Int) { numbers.withLock { $0.append(number) } }
            var all: [Int] { numbers.withLock { $0 } }
        }

        private final class Clock: Sendable {
            private let now = Locked(Int64(0))
            var time: Int64 { now.withLock { $0 } }
            func set(_ time: Int64) { now.withLock { $0 = time } }
        }
        private let clock = Clock()

        /// - Parameter size: of the ring in bytes.
        init(size: Int, frames: Int = 2000) throws {
            try GStreamer.start()
            let clock = clock
            store = ReplayStore(
                slab: try #require(ByteSlab(capacity: size)), frameCapacity: frames, window: 3600 * second,
                clocks: { WallTimes(monotonic: clock.time) }, notify: {})
            player = ReplayPlayer(store) { clock.time }
            output = try Pipeline(
                launch: "appsrc name=replay ! identity name=probe ! fakesink sync=false async=false", name: "view")
            source = try #require(output.element(named: "replay").flatMap { AppSource($0) })
            source.configureLive()
            instance = try StoreProbe.instance(feeding: store)
            tap = try #require(instance.fake.seen.taps.first)
            let got = got
            let gate = gate
            probe = output.element(named: "probe")?.pad(named: "src")?.addProbe { data in
                if case .buffer(let view) = consume data {
                    let number = view.withBytes { Self.number([UInt8]($0)) } ?? -1
                    got.add(number)
                    gate.pass()
                }
                return .pass
            }
            tap.startEpoch(1)
            tap.setFormat("video/x-vp8")
            output.setState(.playing)
            player.show(on: source)
        }

        func push(_ number: Int, size: Int, isKey: Bool) {
            clock.set(Int64(number) * ReplayPlayerTests.step)
            tap.push(
                Self.bytes(number, size), pts: Int64(number) * ReplayPlayerTests.step,
                duration: ReplayPlayerTests.step, isDelta: !isKey)
        }

        private static func bytes(_ number: Int, _ size: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number &* 37), count: max(8, size))
            for index in 0..<4 { bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
            return bytes
        }

        /// -1 where the bytes are not those of one frame.
        private static func number(_ bytes: [UInt8]) -> Int {
            let number = bytes.prefix(4).enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
            let rest = UInt8(truncatingIfNeeded: number &* 37)
            return bytes.dropFirst(4).allSatisfy { $0 == rest } ? number : -1
        }

        /// Everything that came out.
        func end() throws -> [Int] {
            gate.open()
            source.endOfStream()
            while true {
                switch output.bus.next(timeout: .seconds(60)) {
                case .endOfStream:
                    output.setState(.null)
                    probe?.cancel()
                    player.show(on: nil)
                    instance.deactivate()
                    tap.detach()
                    instance.destroy()
                    return got.all
                case .error(let report): throw report
                case nil: throw EncodedStream.Silence()
                default: break
                }
            }
        }
    }

    /// Lets all pass, or nothing.
    private final class Gate: Sendable {
        private let condition = NSCondition()
        private let isShut = Locked(false)
        private let isThere = Locked(false)

        func shut() { isShut.withLock { $0 = true } }
        func open() {
            condition.lock()
            isShut.withLock { $0 = false }
            condition.broadcast()
            condition.unlock()
        }
        func waitForSomebody() {
            condition.lock()
            while !isThere.withLock({ $0 }) { condition.wait() }
            condition.unlock()
        }
        func pass() {
            condition.lock()
            isThere.withLock { $0 = true }
            condition.broadcast()
            while isShut.withLock({ $0 }) { condition.wait() }
            condition.unlock()
        }
    }

    @Test func itTakesNoPlaceOfASave() throws {
        let stage = try Stage(size: 100_000)
        for number in 0..<20 { stage.push(number, size: 100, isKey: number % 10 == 0) }
        var clips: [ClipRange] = []
        while case .clip(let clip) = stage.store.pin(last: nil) { clips.append(clip) }
        #expect(clips.count == PinSet.limit)
        stage.player.pump()
        for number in 20..<40 {
            stage.push(number, size: 100, isKey: number % 10 == 0)
            stage.player.pump()
        }
        #expect(stage.store.saves == PinSet.limit)
        for clip in clips { stage.store.unpin(clip) }
        #expect(try stage.end() == Array(10..<40))
    }

    /// The ring is so small that it evicts with every key frame; the player is always at its end.
    @Test func itNeverKeepsTheRingFromEvicting() async throws {
        let stage = try Stage(size: 60_000)
        let frames = 3000
        let ended = AsyncStream<Void>.makeStream()
        let (written, running) = (Counter(), Counter())
        running.add(2)
        Thread.detachNewThread {
            while written.value < frames { stage.player.pump() }
            if running.add(-1) == 0 { ended.continuation.finish() }
        }
        Thread.detachNewThread {
            for number in 0..<frames {
                stage.push(number, size: 5000 + number % 700, isKey: number % 4 == 0)
                written.add(1)
            }
            if running.add(-1) == 0 { ended.continuation.finish() }
        }
        for await _ in ended.stream {}
        let drops = stage.store.status.drops
        // What the output had no room for by then stays in the ring.
        while (stage.got.all.last ?? 0) < frames - 1 { stage.player.pump() }
        let numbers = try stage.end()
        #expect(drops == RingDrops())
        #expect(!numbers.contains(-1) && numbers.last == frames - 1)
        // In order, none twice, but for what is decoded again after a jump over what was evicted.
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 || $1 % 4 == 0 })
    }

    @Test func anOutputThatTakesNothingHasABoundAndGoesOnWhereTheViewerIs() throws {
        let stage = try Stage(size: 64 << 20)
        stage.gate.shut()
        var most: UInt64 = 0
        for number in 0..<300 {
            stage.push(number, size: 100_000, isKey: number % 30 == 0)
            stage.player.pump()
            // The first one is on its way, and stays there.
            stage.gate.waitForSomebody()
            most = max(most, stage.source.queuedBytes)
        }
        #expect(most < ReplayPlayer.queueBytes + 100_000)
        stage.gate.open()
        // What waited, and then the newest GOP: nobody watches what is seconds late.
        while (stage.got.all.last ?? 0) < 299 { stage.player.pump() }
        let numbers = try stage.end()
        #expect(numbers.count < 90 && numbers.last == 299)
        let jump = try #require(zip(numbers, numbers.dropFirst()).first { $1 != $0 + 1 })
        #expect(jump.1 == 270)
    }

    /// A frame number that is used again means another frame.
    @Test func framesThatWereTakenOutAgainAreNotTakenForOthers() throws {
        let stage = try Stage(size: 1000)
        func show(_ numbers: Range<Int>, size: Int) {
            for number in numbers {
                stage.push(number, size: size, isKey: number % 4 == 0)
                stage.player.pump()
            }
        }
        show(0..<4, size: 50)
        guard case .clip(let clip) = stage.store.pin(last: nil) else {
            Issue.record("no clip")
            return
        }
        // No room for all of the second GOP, as the first is held; the third takes its numbers.
        show(4..<8, size: 250)
        #expect(stage.store.status.drops.heldGOPs == 1)
        show(8..<12, size: 50)
        stage.store.unpin(clip)
        let numbers = try stage.end()
        #expect(numbers.suffix(4) == [8, 9, 10, 11])
    }
}
