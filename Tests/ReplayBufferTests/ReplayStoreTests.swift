import Foundation
import HostTestKit
import PluginKit
import Locking
import Synchronization
import Testing

@testable import ReplayBuffer

/// The store between threads: one writes as a stream does, others read clips as saves do.
@Suite(.serialized) struct ReplayStoreTests {
    /// Bytes whose first eight say which frame they are and whose rest follows from it.
    private static func fill(_ bytes: inout [UInt8], _ number: Int) {
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: number &* 7 &+ index) }
    }

    @Test func savesReadWhatWasThereWhileTheStreamGoesOn() async throws {
        let slab = try #require(ByteSlab(capacity: 200_000))
        let store = ReplayStore(slab: slab, frameCapacity: 500, window: 3600 * second) {}
        let instance = try StoreProbe.instance(feeding: store)
        let tap = try #require(instance.fake.seen.taps.first)
        tap.startEpoch(1)
        tap.setFormat("video/x-h264")
        tap.push([0, 1], pts: 0, duration: 1)
        // Threads of their own: the test must not depend on how many the pool has free.
        let (written, clips, broken, running) = (Counter(), Counter(), Counter(), Counter())
        let ended = AsyncStream<Void>.makeStream()
        let frames = 20_000
        running.add(4)
        for reader in 0..<3 {
            Thread.detachNewThread {
                repeat {
                    guard case .clip(let clip) = store.pin(last: Int64(20 + reader * 40)) else { continue }
                    broken.add(Self.check(store, clip))
                    store.unpin(clip)
                    clips.add(1)
                } while written.value < frames
                if running.add(-1) == 0 { ended.continuation.finish() }
            }
        }
        Thread.detachNewThread {
            for number in 1...frames {
                var bytes = [UInt8](repeating: 0, count: 500 + (number * 37) % 900)
                Self.fill(&bytes, number)
                tap.push(bytes, pts: Int64(number), duration: 1, isDelta: number % 12 != 0)
                written.add(1)
            }
            if running.add(-1) == 0 { ended.continuation.finish() }
        }
        for await _ in ended.stream {}
        #expect(clips.value >= 3)
        #expect(broken.value == 0)
        let status = store.status
        #expect(store.saves == 0)
        #expect(status.frames > 0)
        instance.deactivate()
        tap.detach()
        instance.destroy()
    }

    /// Frames of a pinned clip that are not what the stream wrote.
    private static func check(_ store: ReplayStore, _ clip: ClipRange) -> Int {
        var chunk: [Frame] = []
        var scratch: [UInt8] = []
        var next = clip.first
        var broken = 0
        var last = clip.start - 1
        while next < clip.end {
            store.read(clip, from: next, into: &chunk)
            guard !chunk.isEmpty else { return broken + 1 }
            for frame in chunk {
                let number = Int(frame.pts)
                let isIntact = store.withBytes(of: frame, scratch: &scratch) { bytes in
                    bytes.enumerated().allSatisfy { $1 == UInt8(truncatingIfNeeded: number &* 7 &+ $0) }
                }
                if !isIntact || frame.pts <= last { broken += 1 }
                last = frame.pts
            }
            next += UInt64(chunk.count)
        }
        return broken
    }

    /// More segments than are copied in one go, while they come and go.
    @Test func theTimelineIsThatOfOneMoment() async throws {
        let slab = try #require(ByteSlab(capacity: 1_000_000))
        let store = ReplayStore(slab: slab, frameCapacity: 20_000, window: 1000 * second) {}
        let instance = try StoreProbe.instance(feeding: store)
        let tap = try #require(instance.fake.seen.taps.first)
        tap.startEpoch(1)
        tap.setFormat("video/x-vp8")
        let ended = AsyncStream<Void>.makeStream()
        let (written, frames) = (Counter(), 20_000)
        // A second each: a key frame and another.
        @Sendable func push(_ number: Int) {
            tap.push([0], pts: Int64(number) * second / 2, duration: second / 2, isDelta: number % 2 == 1)
        }
        for number in 0..<4000 { push(number) }
        Thread.detachNewThread {
            for number in 4000..<frames {
                push(number)
                written.add(1)
            }
            ended.continuation.finish()
        }
        var looks = 0
        repeat {
            let timeline = store.timeline()
            let segments = timeline.segments
            #expect(segments.count >= 1000 && segments.count <= 1002)
            #expect(segments.first?.start == timeline.oldest)
            #expect(segments.last.map { $0.start + $0.duration } == timeline.newest)
            #expect(segments.last.map { $0.index + 1 } == timeline.nextIndex)
            #expect(zip(segments, segments.dropFirst()).allSatisfy { $0.index + 1 == $1.index })
            #expect(segments.dropLast().allSatisfy { $0.duration == second })
            looks += 1
        } while written.value < frames - 4000 || looks < 3
        for await _ in ended.stream {}
        instance.deactivate()
        tap.detach()
        instance.destroy()
    }

    @Test func aGapAfterADroppedGOPBeginsAtTheEndOfTheOneBefore() throws {
        let slab = try #require(ByteSlab(capacity: 1000))
        let store = ReplayStore(slab: slab, frameCapacity: 100, window: 3600 * second) {}
        let instance = try StoreProbe.instance(feeding: store)
        let tap = try #require(instance.fake.seen.taps.first)
        tap.startEpoch(1)
        tap.setFormat("video/x-h264")
        func push(_ number: Int64, _ size: Int, isKey: Bool = false) {
            tap.push(
                [UInt8](repeating: 0, count: size), pts: number * second / 10, duration: second / 10, isDelta: !isKey)
        }
        push(0, 100, isKey: true)
        push(1, 100)
        // A save holds the first GOP, so the second one has no room.
        guard case .clip(let clip) = store.pin(last: nil) else {
            Issue.record("no clip")
            return
        }
        push(2, 300, isKey: true)
        push(3, 300)
        push(4, 300)
        push(5, 300)
        push(6, 100, isKey: true)
        let timeline = store.timeline()
        #expect(timeline.gaps == [Gap(from: 2 * second / 10, to: 6 * second / 10)])
        store.unpin(clip)
        instance.deactivate()
        tap.detach()
        instance.destroy()
    }

    @Test func sameCapsAfterARestartAreNoChangeOfFormat() throws {
        let slab = try #require(ByteSlab(capacity: 10_000))
        let store = ReplayStore(slab: slab, frameCapacity: 100, window: 3600 * second) {}
        let instance = try StoreProbe.instance(feeding: store)
        let tap = try #require(instance.fake.seen.taps.first)
        for epoch in 1...3 {
            tap.startEpoch(UInt32(epoch))
            tap.setFormat(epoch < 3 ? "video/x-h264, width=(int)16" : "video/x-h264, width=(int)32")
            tap.push([1], pts: Int64(epoch) * second, duration: second)
            tap.push([2], pts: Int64(epoch) * second + 1, duration: second, isDelta: true)
            let choice = store.pin(last: nil)
            guard case .clip(let clip) = choice else {
                Issue.record("no clip")
                return
            }
            #expect(clip.start == (epoch < 3 ? second : 3 * second))
            #expect(
                store.caps(clip.format) == (epoch < 3 ? "video/x-h264, width=(int)16" : "video/x-h264, width=(int)32"))
            store.unpin(clip)
        }
        instance.deactivate()
        tap.detach()
        instance.destroy()
    }
}

/// A plugin that is nothing but a tap for the store a test made.
final class StoreProbe: MediaPlugin {
    /// Which store it feeds, of those of tests that run at the same time.
    struct Settings: PluginRecord {
        let store: Int

        static let fields = Fields(Settings.init, Field("store", \.store, "the number of a store"))
    }

    static let descriptor = PluginDescriptor(
        id: "org.example.store-probe", name: "Store probe", version: "1", summary: "Feeds a store.", requires: [.tap])
    private static let stores = Locked<[ReplayStore]>([])

    let host: PluginKit.Host
    let store: ReplayStore

    init(host: PluginKit.Host, settings: Settings) throws(PluginError) {
        let number = settings.store
        guard let store = Self.stores.withLock({ $0.indices.contains(number) ? $0[number] : nil }) else {
            throw PluginError("no store \(number)")
        }
        self.host = host
        self.store = store
    }

    func activate() throws(PluginError) {
        try host.attachTap("cam/encoded.src", store)
        for track in 1..<max(1, store.tracks) {
            try host.attachTap(PadName(text: "cam/sound\(track).src"), TrackTap(store, track: UInt8(track)))
        }
    }

    /// One that is active.
    static func instance(feeding store: ReplayStore) throws -> FakeInstance {
        let number = stores.withLock { stores in
            stores.append(store)
            return stores.count - 1
        }
        return try FakeInstance.running(
            descriptor.id, of: PluginEntry.entry(for: StoreProbe.self), config: ["store": .int(Int64(number))])
    }
}

/// A number that threads add to.
final class Counter: Sendable {
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .acquiring) }
    @discardableResult func add(_ amount: Int) -> Int {
        number.add(amount, ordering: .acquiringAndReleasing).newValue
    }
}
