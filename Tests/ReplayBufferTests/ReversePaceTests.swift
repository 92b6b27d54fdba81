import Testing

@testable import ReplayBuffer

/// GOPs of ten pictures, ten milliseconds each.
@Suite struct ReversePaceTests {
    private static func ring(at position: Int64, _ pace: ReversePace) -> PlaybackCursor.Ring {
        let key = position / 100 * 10
        return PlaybackCursor.Ring(
            firstKey: 0, head: 10_000, key: UInt64(key), keyPTS: key * 10,
            keyBefore: pace.key.flatMap { $0 >= 10 ? $0 - 10 : nil })
    }

    private static func chooses(_ pace: inout ReversePace, _ position: Int64, _ ring: PlaybackCursor.Ring) -> Bool {
        pace.choose(position, ring)
    }

    /// What is shown at each of these places: all from the key frame on is sent, as far as the pace says.
    private static func show(_ pace: inout ReversePace, at positions: some Sequence<Int64>) -> [Int64?] {
        positions.map { position in
            guard pace.choose(position, ring(at: position, pace)) else { return nil }
            var shown: Int64?
            for pts in stride(from: position / 100 * 100, to: position / 100 * 100 + 100, by: 10) {
                pace.sent(pts)
                if pts <= pace.target ?? .min { shown = pts }
            }
            return shown
        }
    }

    @Test func whoKeepsUpIsShownEachOnce() {
        var pace = ReversePace()
        let shown = Self.show(&pace, at: stride(from: 555, through: 0, by: -5))
        #expect(shown.compactMap { $0 } == Array(stride(from: 550, through: 0, by: -10)))
    }

    /// One in each GOP is no sign that it is too slow.
    @Test func whoPassesPicturesIsShownThoseOfItsPlaces() {
        var pace = ReversePace()
        #expect(Self.show(&pace, at: [955, 851, 749, 655, 651, 599]) == [950, 850, 740, 650, nil, 590])
    }

    @Test func whoPassesGOPsIsShownKeyFramesMoreEachTime() {
        var pace = ReversePace()
        let places = stride(from: Int64(9955), to: 7000, by: -300)
        #expect(
            Self.show(&pace, at: places)
                == [9950, 9600, 9300, 9000, 8700, 8400, 8100, 7800, 7500, 7200])
        // Each GOP is reached now: the key frames that are left, then pictures again.
        let next = Self.show(&pace, at: stride(from: 7155, to: 0, by: -100)).compactMap { $0 }
        #expect(next.prefix(31).elementsEqual(stride(from: 7100, to: 4000, by: -100)))
        #expect(next.dropFirst(31).elementsEqual(stride(from: 4050, to: 0, by: -100)))
    }

    @Test func whoKeepsUpAgainBeginsAnew() {
        var pace = ReversePace()
        let slow: [Int64] = [9955, 9655, 9355]
        #expect(Self.show(&pace, at: slow) == [9950, 9600, 9300])
        // The other one that was owed, and two in one GOP.
        #expect(Self.show(&pace, at: [9255, 9155, 9145]) == [9200, 9150, 9140])
        #expect(Self.show(&pace, at: [8855, 8755]) == [8800, 8750])
    }

    /// The oldest GOP is shown as long as it is there, then the next one: a viewer at the end of the ring is taken along.
    @Test func whoseGOPIsGoneIsShownTheOldest() {
        var pace = ReversePace()
        var ring = PlaybackCursor.Ring(firstKey: 10, head: 100, key: 10, keyPTS: 100)
        #expect(Self.chooses(&pace, 100, ring))
        pace.sent(100)
        #expect(!Self.chooses(&pace, 100, ring))
        (ring.firstKey, ring.key, ring.keyPTS) = (20, 20, 200)
        #expect(Self.chooses(&pace, 200, ring) && pace.target == 200)
        pace.sent(200)
        #expect(!Self.chooses(&pace, 200, ring))
    }

    /// Half of a picture's way was sent when the rest was taken away.
    @Test func whatWasNotSentToItsEndIsNotTakenForShown() {
        var pace = ReversePace()
        let ring = PlaybackCursor.Ring(firstKey: 10, head: 100, key: 10, keyPTS: 100)
        #expect(Self.chooses(&pace, 150, ring))
        pace.sent(110)
        #expect(!Self.chooses(&pace, 140, ring))
        pace.giveUp()
        #expect(Self.chooses(&pace, 140, ring) && pace.target == 140)
    }

    /// Evicted while it is sent: what is left of the ring is shown.
    @Test func aCursorGoesOnBehindWhatIsEvicted() throws {
        var cursor = PlaybackCursor()
        func step(_ position: Int64, _ ring: PlaybackCursor.Ring) -> PlaybackCursor.Step? {
            cursor.step(.backward, position: position, reach: position, jumps: 1, isIdle: true, ring: ring)
        }
        var ring = PlaybackCursor.Ring(firstKey: 10, head: 100, key: 10, keyPTS: 100)
        let first = try #require(step(150, ring))
        #expect(first.from == 10 && first.until == 150 && first.isJump)
        cursor.sent(to: 11, pts: 100)
        // On the way to a picture the place does not matter.
        #expect(step(140, ring).map { [$0.from, UInt64($0.until)] } == [11, 150])
        (ring.firstKey, ring.key, ring.keyPTS) = (20, 20, 200)
        let next = try #require(step(200, ring))
        #expect(next.from == 20 && next.until == 200 && next.isJump)
        cursor.sent(to: 21, pts: 200)
        cursor.settled()
        #expect(step(200, ring) == nil)
    }

    @Test func whatIsNotThereIsNotShown() {
        var pace = ReversePace()
        let isThere = pace.choose(5, PlaybackCursor.Ring(firstKey: 0, head: 0, key: nil))
        #expect(!isThere && pace.target == nil)
    }
}
