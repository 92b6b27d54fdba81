import Glibc
import HostTestKit
import PluginKit
import Testing

@testable import ReplayBuffer

/// What the next process finds in the memory that a former one left.
@Suite struct RingRestoreTests {
    private struct Left: Equatable {
        var numbers: [Int]
        var segments: [Segment]
        var status: RingStatus
        var firstKey: UInt64
    }

    private static func left(_ ring: borrowing GOPRing) -> Left {
        var status = ring.status
        status.drops = RingDrops()
        return Left(
            numbers: ring.numbers(), segments: ring.segments.all(until: ring.newestEnd), status: status,
            firstKey: ring.firstKey)
    }

    @Test(arguments: [5, 100, 900, 3000])
    func everythingIsThereAgain(frames: Int) throws {
        let stored = try StoredRing()
        var ring = GOPRing(stored.begin().place, window: 3600 * second, tracks: 1)
        ring.commits = 1
        for number in 0..<frames {
            let outcome = ring.append(number, size: 100 + number * 37 % 9000, key: number % 12 == 0, format: 0)
            check(outcome, .stored)
        }
        let next = try stored.copy().opened()
        #expect(next.remarks == [])
        let found = try #require(next.recovery)
        #expect(found.end == Int64(frames) * second / 10)
        var restored = GOPRing(next.place, window: 3600 * second, tracks: 1)
        restored.restore(found)
        #expect(Self.left(restored) == Self.left(ring))
        // And goes on.
        check(restored.append(frames, size: 50, key: false, format: 0), .needsKey)
        check(restored.append(frames + 1, size: 50, key: true, format: 0), .stored)
        check(restored.append(frames + 2, size: 50, key: false, format: 0), .stored)
        #expect(restored.numbers().suffix(2) == [frames + 1, frames + 2])
        let lost = restored.numbers().filter { $0 < 0 }.count
        #expect(lost == 0)
    }

    /// Before each step of writing: what counts is what counted before, or with the frame.
    @Test func aSmallerWindowHoldsFromTheStart() throws {
        let stored = try StoredRing()
        var ring = GOPRing(stored.begin().place, window: 3600 * second, tracks: 1)
        for number in 0..<600 { ring.append(number, size: 100, key: number % 10 == 0, format: 0) }
        let next = try stored.copy().opened()
        var restored = GOPRing(next.place, window: 5 * second, tracks: 1)
        restored.restore(try #require(next.recovery))
        #expect(restored.status.oldest == 55 * second)
        #expect(restored.status.newest == 60 * second)
        #expect(restored.segments.all(until: 60 * second).map(\.index) == [55, 56, 57, 58, 59])
    }

    @Test func whatAHalfWrittenStateLeavesIsTheOneBefore() throws {
        let stored = try StoredRing()
        var ring = GOPRing(stored.begin().place, window: 3600 * second, tracks: 1)
        for number in 0..<50 { ring.append(number, size: 100, key: number % 10 == 0, format: 0) }
        let newest = ring.commits
        for word in 0..<14 {
            let copy = try stored.copy()
            let place = RingLayout.commits + Int(newest & 1) * RingLayout.commitStride + word * 8
            let known = copy.mapping.base.load(fromByteOffset: place, as: UInt64.self)
            copy.mapping.base.storeBytes(of: known ^ 0xff00, toByteOffset: place, as: UInt64.self)
            let found = try #require(try copy.opened().recovery)
            #expect(found.commit.counter == newest - 1)
            #expect(found.head == 49)
        }
        // Both.
        let copy = try stored.copy()
        for number in 0..<2 {
            copy.mapping.base.storeBytes(
                of: 7, toByteOffset: RingLayout.commits + number * RingLayout.commitStride + 8, as: UInt64.self)
        }
        guard case .damaged("neither of its two states is whole") = copy.look() else {
            Issue.record("\(copy.look())")
            return
        }
    }

    @Test func otherPadsAndSizesAreSaid() throws {
        let stored = try StoredRing()
        _ = stored.begin()
        guard case .obsolete("it was of cam/v.src and is to be of cam/v.src, cam/a1.src") = stored.look(tracks: 2)
        else {
            Issue.record("\(stored.look(tracks: 2))")
            return
        }
        guard case .obsolete("size was 4MiB and is 8MiB now") = StoredRing.request(total: 8 << 20).look(stored.place)
        else {
            Issue.record("\(StoredRing.request(total: 8 << 20).look(stored.place))")
            return
        }
    }

    @Test func afterAPowerCutBytesThatWereNotWrittenAreNotKept() throws {
        let stored = try StoredRing()
        var ring = GOPRing(stored.begin().place, window: 3600 * second, tracks: 1)
        for number in 0..<100 { ring.append(number, size: 1000, key: number % 10 == 0, format: 0) }
        // A page of the slab is as it was before.
        let copy = try stored.copy()
        memset(copy.mapping.base + copy.layout.slabPlace + 73_000, 0, 4096)
        // Of the same boot nobody asks: the kernel had all of it.
        #expect(try copy.opened().recovery?.lost == 0)
        let found = try #require(try copy.opened(boot: "another boot").recovery)
        // Frames 73 to 77 are damaged; what follows is shorter.
        #expect(found.tail == 0 && found.head == 73 && found.lost == 27)
        let remark = try copy.opened(boot: "another boot").remarks.first
        #expect(
            remark == "27 frames of a former run could not be kept: damaged, or not yet written when the power went")
    }

    @Test func afterAPowerCutAnOlderStateIsFollowedUp() throws {
        let stored = try StoredRing()
        var ring = GOPRing(stored.begin().place, window: 3600 * second, tracks: 1)
        for number in 0..<40 { ring.append(number, size: 1000, key: number % 10 == 0, format: 0) }
        let old = try stored.copy()
        for number in 40..<50 { ring.append(number, size: 1000, key: number % 10 == 0, format: 0) }
        // The first page was not written.
        memcpy(stored.mapping.base, old.mapping.base, 4096)
        #expect(try stored.opened().recovery?.head == 40)
        #expect(try stored.opened(boot: "another boot").recovery?.head == 50)
    }
}
