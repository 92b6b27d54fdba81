import Foundation
import Locking
import Testing

@testable import ReplayBuffer

/// Reading for the window while the ring goes on.
@Suite struct WindowReadingTests {
    private static let step = second / 10

    private func store(bytes: Int, frames: Int = 400) throws -> ReplayStore {
        ReplayStore(
            slab: try #require(ByteSlab(capacity: bytes)), frameCapacity: frames, window: 3600 * second, tracks: 2,
            notify: {})
    }

    /// Number 10 k is a key frame; each third frame is followed by sound, whose bytes begin elsewhere.
    private func append(_ number: Int, size: Int, to store: ReplayStore, isKey: Bool? = nil) {
        var frame = Frame()
        (frame.pts, frame.dts, frame.duration) = (Int64(number) * Self.step, Int64(number) * Self.step, Self.step)
        (frame.isKey, frame.format) = (isKey ?? (number % 10 == 0), 1)
        let (picture, sound) = (pattern(number, size), pattern(number + 1_000_000, size / 10))
        var other = frame
        (other.track, other.format, other.isKey, other.duration) = (1, 2, false, 3 * Self.step)
        store.state.withLock { [frame, other] state in
            _ = state.ring.append(picture.span.bytes, frame)
            if number % 3 == 0 { _ = state.ring.append(sound.span.bytes, other) }
        }
    }

    private func numbers(_ items: [WindowFrames.Item]) -> [Int] { items.map { Int($0.frame.pts / Self.step) } }

    /// What is read is whole and right, or gone: never a part of what was written there later.
    @Test(.timeLimit(.minutes(10))) func whatIsReadWhileTheRingTurnsIsWholeOrGone() throws {
        let store = try store(bytes: 60_000)
        let isDone = Locked(false)
        let counts = Locked((read: 0, gone: 0, wrong: 0))
        DispatchQueue.concurrentPerform(iterations: 2) { side in
            if side == 0 {
                var number = 0
                // The other side may get no processor for long.
                while number < 3000 || counts.withLock({ $0.read + $0.wrong }) <= 100 {
                    append(number, size: 500 + number * 7919 % 2500, to: store)
                    number += 1
                }
                isDone.withLock { $0 = true }
                return
            }
            var bytes: [UInt8] = []
            while !isDone.withLock({ $0 }) {
                let look = store.windowLook(window: 3600 * second, frameCapacity: 400)
                for segment in look.segments.dropLast() {
                    guard let frames = store.windowFrames(from: segment.start, to: segment.start + segment.duration)
                    else {
                        counts.withLock { $0.gone += 1 }
                        continue
                    }
                    for item in frames.pictures + frames.sound {
                        let number = Int(item.frame.pts / Self.step) + (item.frame.track == 0 ? 0 : 1_000_000)
                        guard store.windowBytes(of: item, cuts: frames.cuts, into: &bytes) else {
                            counts.withLock { $0.gone += 1 }
                            break
                        }
                        let isRight = bytes == pattern(number, Int(item.frame.size))
                        counts.withLock { isRight ? ($0.read += 1) : ($0.wrong += 1) }
                    }
                }
            }
        }
        let found = counts.withLock { $0 }
        #expect(found.wrong == 0 && found.read > 100, "\(found)")
    }

    @Test func aSegmentIsFromKeyFrameToKeyFrameWithItsSound() throws {
        let store = try store(bytes: 1 << 20)
        for number in 0..<35 { append(number, size: 100, to: store) }
        let frames = try #require(store.windowFrames(from: second, to: 2 * second))
        #expect(numbers(frames.pictures) == Array(10..<20) && numbers(frames.sound) == [12, 15, 18])
        #expect(frames.nextPicture?.pts == 2 * second && frames.nextSound?.pts == 21 * Self.step)
        let facts = try #require(WindowFacts(frames))
        #expect(facts.picture == 1 && facts.sound == 2 && facts.shownEnd == 2 * second && facts.missing == 0)
        #expect(facts.lastDecode == 19 * 9000)
        // No key frame is there, or the next has not come.
        #expect(store.windowFrames(from: second + 1, to: 2 * second)?.cuts == nil)
        #expect(store.windowFrames(from: 3 * second, to: 4 * second)?.cuts == nil)
        #expect(store.windowLook(window: 1, frameCapacity: 1).soundEnd == 36 * Self.step)
        store.reset()
        #expect(store.windowFrames(from: second, to: 2 * second)?.cuts == nil)
    }

    /// A GOP that is taken out again was in no segment that is complete; what was read of others stays right.
    @Test func aGOPThatIsTakenOutAgainChangesNoSegment() throws {
        let store = try store(bytes: 20_000)
        for number in 0..<30 { append(number, size: 200, to: store) }
        let before = try #require(store.windowFrames(from: second, to: 2 * second))
        for number in 30..<200 { append(number, size: 400, to: store, isKey: number == 30) }
        #expect(store.status.drops.oversizedGOPs == 1)
        var bytes: [UInt8] = []
        // Sequence numbers may mean other frames than before: what was looked at has to be looked for again.
        #expect(!store.windowBytes(of: before.pictures[0], cuts: before.cuts, into: &bytes))
        #expect(store.windowFrames(from: 2 * second, to: 3 * second)?.cuts == nil)
    }
}
