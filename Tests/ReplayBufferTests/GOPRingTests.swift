import Testing

@testable import ReplayBuffer

@Suite struct GOPRingTests {
    @Test func anIndexEntryIsSmall() { #expect(MemoryLayout<Frame>.stride == 48) }

    @Test func startsAtAKeyFrame() throws {
        var ring = try GOPRing.make(bytes: 1000)
        check(ring.append(0, size: 10, key: false), .needsKey)
        check(ring.append(1, size: 10, key: true), .stored)
        check(ring.append(2, size: 10, key: false), .stored)
        let numbers = ring.numbers()
        #expect(numbers == [1, 2])
        let status = ring.status
        #expect(status.drops.withoutKey == 1)
        #expect((status.frames, status.gops, status.bytes) == (2, 1, 20))
        #expect((status.oldest, status.newest) == (second / 10, second * 3 / 10))
    }

    @Test func emptyRingHasNoClip() throws {
        var ring = try GOPRing.make(bytes: 1000)
        let choice = ring.pin(last: nil)
        #expect(choice == .empty)
    }

    @Test func timeBoundKeepsWholeGOPsThatCoverTheWindow() throws {
        var ring = try GOPRing.make(bytes: 100_000, window: 2 * second)
        for number in 0..<100 {
            ring.append(number, size: 10, key: number % 5 == 0)
            let first = ring.status.oldest
            let covered = ring.newestEnd - first
            // Never less than the window once it was recorded, never a whole GOP more.
            #expect(covered >= min(2 * second, Int64(number + 1) * second / 10))
            #expect(covered < 2 * second + second / 2 + second / 10)
            let isKey = ring[ring.tail].isKey
            #expect(isKey)
        }
    }

    @Test func memoryBoundDropsOldestGOPsAndWrapsIntact() throws {
        var ring = try GOPRing.make(bytes: 997)
        for number in 0..<500 {
            check(ring.append(number, size: 60 + number % 37, key: number % 4 == 0), .stored)
            let numbers = ring.numbers()
            #expect(numbers.last == number)
            #expect(numbers.first.map { $0 % 4 } == 0)
            #expect(numbers == Array((numbers.first ?? 0)...number))
            #expect(ring.usedBytes <= 997)
        }
    }

    @Test func indexBoundDropsOldestGOPs() throws {
        var ring = try GOPRing.make(bytes: 100_000, frames: 10)
        for number in 0..<100 { ring.append(number, size: 1, key: number % 3 == 0) }
        let numbers = ring.numbers()
        #expect(numbers.count <= 10 && numbers.last == 99)
    }

    @Test func oversizedGOPIsTakenOutAndReportedOnce() throws {
        var ring = try GOPRing.make(bytes: 1000)
        ring.append(0, size: 100, key: true)
        ring.append(1, size: 300, key: true)
        ring.append(2, size: 600, key: false)
        check(ring.append(3, size: 200, key: false), .oversized(first: true))
        check(ring.append(4, size: 1, key: false), .oversized(first: false))
        var numbers = ring.numbers()
        #expect(numbers == [])
        #expect(ring.drops.oversizedGOPs == 1)
        #expect(ring.drops.oversizedFrames == 4)
        check(ring.append(5, size: 2000, key: true), .oversized(first: true))
        check(ring.append(6, size: 500, key: true), .stored)
        numbers = ring.numbers()
        #expect(numbers == [6])
    }

    @Test func frameLargerThanTheSlabCostsOnlyItsOwnGOP() throws {
        var ring = try GOPRing.make(bytes: 1000)
        ring.append(0, size: 100, key: true)
        ring.append(1, size: 100, key: true)
        check(ring.append(2, size: 1001, key: false), .oversized(first: true))
        let numbers = ring.numbers()
        #expect(numbers == [0])
        #expect(ring.newestEnd == second / 10)
    }

    @Test func clipBeginsAtTheKeyFrameBeforeWhatWasAskedFor() throws {
        var ring = try GOPRing.make(bytes: 100_000)
        for number in 0..<100 { ring.append(number, size: 10, key: number % 10 == 0) }
        // Newest end 10.0 s: the last 2.5 s begin at 7.5, the key frame before is number 70.
        for (last, first) in [(25, 70), (30, 70), (31, 60), (1, 90), (0, 90), (100, 0)] as [(Int64, Int64)] {
            guard case .clip(let clip) = ring.pin(last: last * second / 10) else {
                Issue.record("no clip")
                return
            }
            #expect(clip.start == first * second / 10)
            #expect(clip.finish == 10 * second)
            #expect(clip.cut == nil)
            ring.pins.remove(clip.slot)
        }
        guard case .clip(let all) = ring.pin(last: 11 * second) else {
            Issue.record("no clip")
            return
        }
        #expect(all.start == 0 && all.cut == .ringStart)
    }

    @Test func clipNeverCrossesAChangeOfFormat() throws {
        var ring = try GOPRing.make(bytes: 100_000)
        for number in 0..<30 { ring.append(number, size: 10, key: number % 10 == 0, format: number < 20 ? 1 : 2) }
        guard case .clip(let clip) = ring.pin(last: 2 * second) else {
            Issue.record("no clip")
            return
        }
        #expect(clip.start == 2 * second)
        #expect(clip.format == 2)
        #expect(clip.cut == .formatChange)
        // A delta of a new format has nothing to be decoded from.
        check(ring.append(30, size: 10, key: false, format: 3), .needsKey)
    }

    @Test func anInterruptedStreamGoesOnAtAKeyFrameAndKeepsWhatItHad() throws {
        var ring = try GOPRing.make(bytes: 100_000)
        for number in 0..<15 { ring.append(number, size: 10, key: number % 10 == 0) }
        ring.interrupt()
        check(ring.append(15, size: 10, key: false), .needsKey)
        check(ring.append(16, size: 10, key: true), .stored)
        let numbers = ring.numbers()
        #expect(numbers == Array(0..<15) + [16])
    }

    @Test func pinnedFramesStayAndNewOnesAreLostInstead() throws {
        var ring = try GOPRing.make(bytes: 1000)
        for number in 0..<8 { ring.append(number, size: 100, key: number % 2 == 0) }
        guard case .clip(let clip) = ring.pin(last: nil) else {
            Issue.record("no clip")
            return
        }
        check(ring.append(8, size: 100, key: true), .stored)
        check(ring.append(9, size: 100, key: false), .stored)
        check(ring.append(10, size: 100, key: false), .held(first: true))
        check(ring.append(11, size: 100, key: false), .held(first: false))
        var numbers = ring.numbers()
        #expect(numbers == Array(0..<8))
        #expect(ring.drops.heldGOPs == 1)
        #expect(ring.drops.heldFrames == 4)
        // The save has read the first GOP: its room is free.
        ring.pins.advance(clip.slot, to: 2)
        check(ring.append(12, size: 300, key: true), .stored)
        numbers = ring.numbers()
        #expect(numbers == [2, 3, 4, 5, 6, 7, 12])
        ring.pins.remove(clip.slot)
        for number in 13..<40 {
            check(ring.append(number, size: 100, key: number % 2 == 0), .stored)
        }
        numbers = ring.numbers()
        #expect(numbers == Array((numbers.first ?? 0)..<40))
    }

    @Test func aGOPThatIsPinnedWhileItGrowsKeepsWhatWasPinned() throws {
        var ring = try GOPRing.make(bytes: 1000)
        ring.append(0, size: 400, key: true)
        ring.append(1, size: 400, key: false)
        guard case .clip(let clip) = ring.pin(last: nil) else {
            Issue.record("no clip")
            return
        }
        ring.append(2, size: 100, key: false)
        check(ring.append(3, size: 200, key: false), .oversized(first: true))
        var numbers = ring.numbers()
        #expect(numbers == [0, 1])
        #expect(ring.newestEnd == second / 5)
        check(ring.append(4, size: 300, key: true), .held(first: true))
        ring.pins.remove(clip.slot)
        check(ring.append(5, size: 300, key: true), .stored)
        numbers = ring.numbers()
        #expect(numbers == [5])
    }

    @Test func onlySoManySavesAtOnce() throws {
        var ring = try GOPRing.make(bytes: 1000)
        ring.append(0, size: 10, key: true)
        for _ in 0..<PinSet.limit {
            guard case .clip = ring.pin(last: nil) else {
                Issue.record("no clip")
                return
            }
        }
        let choice = ring.pin(last: nil)
        #expect(choice == .busy)
    }

    @Test func framesWithoutDurationAreTimedByTheirDistance() throws {
        var ring = try GOPRing.make(bytes: 1000)
        for number in 0..<4 {
            var frame = Frame()
            frame.pts = Int64(number) * 40_000_000
            frame.isKey = number == 0
            let bytes = pattern(number, 5)
            _ = ring.append(bytes.span.bytes, frame)
        }
        #expect(ring.newestEnd == 160_000_000)
    }
}
