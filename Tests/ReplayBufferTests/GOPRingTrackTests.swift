import Testing

@testable import ReplayBuffer

/// Several tracks in one ring, the bounds of an endless GOP, segments, and a reset.
@Suite struct GOPRingTrackTests {
    @Test func soundThatCameBeforeItsPictureStaysWithIt() throws {
        var ring = try GOPRing.make(bytes: 100_000, window: second, tracks: 2)
        // Pictures come half a second after the sound of their time.
        for number in 0..<60 {
            ring.appendSound(1000 + number, at: Int64(number))
            if number >= 5 { ring.append(number - 5, size: 10, key: (number - 5) % 5 == 0) }
            // What sounded before the first picture of all came was not kept.
            let start = ring.oldest
            guard start >= second else { continue }
            // Everything that sounds from the oldest key frame on, and nothing that was over before it.
            var sound: [Int64] = []
            for sequence in ring.tail..<ring.head where ring[sequence].track == 1 { sound.append(ring[sequence].pts) }
            #expect(sound.first == start)
            let last = Int64(number) * second / 10
            #expect(sound == Array(stride(from: start, through: last, by: 100_000_000)))
            let track = ring[ring.tail].track
            #expect(track == 1)
        }
    }

    @Test func soundBeforeTheFirstPictureAndAfterAResetIsNotKept() throws {
        var ring = try GOPRing.make(bytes: 10_000, tracks: 2)
        check(ring.appendSound(1, at: 0), .needsKey)
        check(ring.append(0, size: 10, key: true), .stored)
        check(ring.appendSound(2, at: 0), .stored)
        ring.reset()
        let isEmpty = ring.isEmpty && ring.usedBytes == 0
        #expect(isEmpty)
        check(ring.appendSound(3, at: 1), .needsKey)
        check(ring.append(1, size: 10, key: false), .needsKey)
        check(ring.append(2, size: 10, key: true), .stored)
        let numbers = ring.numbers()
        #expect(numbers == [2])
    }

    @Test func aResetLeavesWhatASaveReads() throws {
        var ring = try GOPRing.make(bytes: 1000)
        for number in 0..<5 { ring.append(number, size: 100, key: number == 0) }
        guard case .clip(let clip) = ring.pin(last: nil) else {
            Issue.record("no clip")
            return
        }
        ring.reset()
        let isEmpty = ring.isEmpty
        #expect(isEmpty)
        check(ring.append(5, size: 400, key: true), .stored)
        check(ring.append(6, size: 400, key: false), .held(first: true))
        var scratch: [UInt8] = []
        for sequence in clip.first..<clip.end {
            let frame = ring[sequence]
            let bytes = ring.slab.withBytes(at: frame.position, count: 100, scratch: &scratch) { [UInt8]($0) }
            #expect(bytes == pattern(Int(sequence), 100))
        }
        ring.pins.remove(clip.slot)
        check(ring.append(7, size: 900, key: true), .stored)
    }

    @Test func anEndlessGOPAsksForAKeyFrameAtFourFifths() throws {
        var ring = try GOPRing.make(bytes: 1000)
        ring.append(0, size: 100, key: true)
        var asked: [Int] = []
        for number in 1..<10 {
            ring.append(number, size: 100, key: false)
            if ring.takeKeyRequest() { asked.append(number) }
        }
        // 800 of 1000 bytes with the eighth frame.
        #expect(asked == [7])
        check(ring.append(10, size: 1, key: false), .oversized(first: true))
        let isEmpty = ring.isEmpty
        #expect(isEmpty)
    }

    @Test func aKeyFrameThatComesInTimeKeepsEverything() throws {
        var ring = try GOPRing.make(bytes: 1000)
        var wanted = true
        for number in 0..<100 {
            check(ring.append(number, size: 100, key: wanted), .stored)
            wanted = ring.takeKeyRequest()
        }
        let drops = ring.drops
        #expect(drops == RingDrops())
    }

    @Test func timeIsAHardBoundToo() throws {
        var ring = try GOPRing.make(bytes: 100_000, window: second)
        ring.append(0, size: 10, key: true)
        var asked: [Int] = []
        for number in 1..<20 {
            check(ring.append(number, size: 10, key: false), .stored)
            if ring.takeKeyRequest() { asked.append(number) }
        }
        // 1.6 of 2 s.
        #expect(asked == [15])
        check(ring.append(20, size: 10, key: false), .oversized(first: true))
        let isEmpty = ring.isEmpty
        #expect(isEmpty)
    }

    @Test func soundAloneDoesNotGrowForEver() throws {
        var ring = try GOPRing.make(bytes: 100_000, window: second, tracks: 2)
        ring.append(0, size: 10, key: true)
        for number in 0..<50 { ring.appendSound(number, at: Int64(number)) }
        let (isEmpty, dropped) = (ring.isEmpty, ring.drops.oversizedGOPs)
        #expect(isEmpty && dropped == 1)
    }

    /// The camera stands and the microphone goes on: pictures leave when they are twice as old as the window.
    @Test func soundAloneMakesPicturesLeaveByTime() throws {
        var ring = try GOPRing.make(bytes: 100_000, window: second, tracks: 2)
        for number in 0..<12 { ring.append(number, size: 10, key: number % 4 == 0) }
        for tenths in Int64(12)..<30 {
            ring.appendSound(100, at: tenths)
            let (isEmpty, oldest) = (ring.isEmpty, ring.oldest)
            if !isEmpty { #expect((tenths + 1) * second / 10 - oldest <= 2 * second) }
        }
        let isEmpty = ring.isEmpty
        #expect(isEmpty)
    }

    /// Sound that has no room must not take the whole GOPs before it out, one after the other.
    @Test func soundOfADroppedGOPTakesNothingElseWithIt() throws {
        var ring = try GOPRing.make(bytes: 1000, tracks: 2)
        for number in 0..<6 { ring.append(number, size: 150, key: number % 2 == 0) }
        // A save that still has to read the oldest GOP.
        let slot = ring.pins.add(0..<2)
        #expect(slot != nil)
        ring.append(6, size: 50, key: true)
        check(ring.append(7, size: 100, key: false), .held(first: true))
        for number in 0..<5 {
            check(ring.appendSound(number, size: 200, at: 6 + Int64(number)), .held(first: false))
        }
        var numbers = ring.numbers()
        #expect(numbers == Array(0..<6))
        // Sound before the key frame of the next run is kept where it has room, and takes nothing out where it has none.
        ring.interrupt()
        check(ring.appendSound(6, size: 20, at: 6), .stored)
        check(ring.appendSound(7, size: 200, at: 7), .held(first: true))
        numbers = ring.numbers()
        #expect(numbers.count == 7)
        #expect(ring.drops.heldGOPs == 2 && ring.drops.heldFrames == 8)
    }

    @Test func segmentsAreWholeGOPsOfASecond() throws {
        var ring = try GOPRing.make(bytes: 100_000, window: 4 * second)
        for number in 0..<100 {
            var frame = Frame()
            (frame.pts, frame.duration, frame.isKey) = (Int64(number) * second / 10, second / 10, number % 4 == 0)
            (frame.epoch, frame.format) = (number < 60 ? 1 : 2, number < 80 ? 1 : 2)
            let bytes = pattern(number, 10)
            _ = ring.append(bytes.span.bytes, frame, at: WallTimes(monotonic: Int64(number)))
        }
        let all = ring.segments.all(until: ring.newestEnd)
        // GOPs of 0.4 s: three to a segment; an epoch (6.0) and a format (8.0) begin new ones.
        #expect(all.map(\.start) == [60, 72, 80, 92].map { $0 * second / 10 })
        #expect(all.map(\.duration) == [12, 8, 12, 8].map { $0 * second / 10 })
        #expect(all.map(\.index) == [5, 6, 7, 8])
        #expect(all.map(\.epoch) == [2, 2, 2, 2])
        #expect(all.map(\.wall.monotonic) == [60, 72, 80, 92])
        let next = ring.segments.nextIndex
        #expect(next == 9)
    }

    @Test func theIndexOfASegmentThatWasTakenOutAgainIsNotUsedForAnother() throws {
        var ring = try GOPRing.make(bytes: 1000)
        func append(_ number: Int, _ size: Int, isKey: Bool) {
            ring.append(number, size: size, key: isKey, step: second)
        }
        append(0, 300, isKey: true)
        append(1, 300, isKey: true)
        guard case .clip = ring.pin(last: nil) else {
            Issue.record("no clip")
            return
        }
        append(2, 300, isKey: true)
        var indexes = ring.segments.all(until: ring.newestEnd).map(\.index)
        #expect(indexes == [0, 1, 2])
        append(3, 300, isKey: false)
        indexes = ring.segments.all(until: ring.newestEnd).map(\.index)
        #expect(indexes == [0, 1])
        append(4, 300, isKey: true)
        indexes = ring.segments.all(until: ring.newestEnd).map(\.index)
        #expect(indexes == [0, 1, 3])
        let cuts = (ring.cuts, ring.lastCut)
        #expect(cuts == (1, 2))
    }

    @Test func aRangeIsFoundInAnOlderFormat() throws {
        var ring = try GOPRing.make(bytes: 100_000)
        for number in 0..<60 {
            ring.append(number, size: 10, key: number % 5 == 0, format: UInt16(1 + number / 20))
        }
        func range(_ from: Int64?, _ to: Int64?) -> ClipRange? {
            guard case .clip(let clip) = ring.pin(from: from.map { $0 * second / 10 }, to: to.map { $0 * second / 10 })
            else { return nil }
            ring.pins.remove(clip.slot)
            return clip
        }
        #expect(range(23, 37)?.start == 20 * second / 10)
        #expect(range(23, 37)?.finish == 37 * second / 10)
        #expect(range(23, 37)?.cut == nil)
        #expect(range(23, 37)?.end == 50)
        #expect(range(13, 37)?.start == 20 * second / 10)
        #expect(range(13, 37)?.cut == .formatChange)
        #expect(range(3, 9)?.start == 0)
        #expect(range(nil, 9)?.key == 0)
        #expect(range(61, nil) == nil)
        #expect(range(0, 90)?.finish == 6 * second)
        #expect(range(-5, 9)?.cut == .ringStart)
        #expect(range(-9, 0) == nil)
    }
}
