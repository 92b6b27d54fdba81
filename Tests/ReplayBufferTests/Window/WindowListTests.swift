import Testing

@testable import ReplayBuffer

/// Which segments a playlist names, without a ring.
@Suite struct WindowListTests {
    private var look = WindowLook()

    init() {
        look.bounds = WindowLook.Bounds(window: 60 * second, bytes: 1_000_000, frames: 1000)
    }

    /// Segments of a second from `first` on, one more that grows; 10 frames of 1000 bytes each second.
    private mutating func grow(to count: Int64, from first: Int64 = 0) {
        look.segments = (first...count).map { number in
            Segment(
                index: UInt64(number), start: number * second, duration: number == count ? second / 2 : second,
                epoch: 1,
                wall: WallTimes(realtime: number * second))
        }
        look.firstNumber = UInt64(first)
        (look.oldest, look.newest) = (first * second, count * second + second / 2)
        (look.firstKey, look.head) = (UInt64(first) * 10, UInt64(count) * 10 + 5)
        look.writePosition = UInt64(count) * 10_000 + 5000
    }

    private func facts(_ segment: Segment, picture: UInt16 = 1, sound: UInt16? = nil, end: Int64) -> WindowFacts {
        WindowFacts(
            sequence: UInt64(segment.start / second) * 10, position: UInt64(segment.start / second) * 10_000,
            picture: picture, sound: sound, shownEnd: end, missing: 0, lastDecode: end / 100_000 * 9 - 1)
    }

    private func update(_ list: inout WindowList) {
        list.update(look) { [self] in facts($0, end: $1) }
    }

    @Test mutating func aPlaylistIsWrittenAsItShouldBe() throws {
        var list = WindowList()
        grow(to: 2)
        update(&list)
        #expect(
            list.playlist.text == """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-TARGETDURATION:1
                #EXT-X-MEDIA-SEQUENCE:0
                #EXT-X-DISCONTINUITY-SEQUENCE:0
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-MAP:URI="init-1.mp4"
                #EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:00.000Z
                #EXTINF:1.000000,
                segment-0.m4s
                #EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:01.000Z
                #EXTINF:1.000000,
                segment-1.m4s

                """)
        #expect(WindowPlaylist.date(1_795_363_200_123_456_789) == "2026-11-22T16:00:00.123Z")
        #expect(WindowPlaylist.seconds(1_033_333_499) == "1.033333")
        #expect(try PlaylistReader(WindowList().playlist.text).segments == [])
    }

    @Test func namesAreReadBack() {
        let format = WindowFormat(picture: 3, sound: 4)
        #expect(format.fileName == "init-3-4.mp4")
        for (name, file) in [
            ("index.m3u8", WindowFile.playlist), ("timeline.json", .timeline), ("segment-12.m4s", .segment(12)),
            ("init-3-4.mp4", .initialisation(format)), ("init-7.mp4", .initialisation(WindowFormat(picture: 7))),
        ] as [(String, WindowFile)] {
            #expect(WindowFile(name: name) == file)
        }
        for name in [
            "", "segment-.m4s", "segment--1.m4s", "segment-1.mp4", "init-.mp4", "init-1-.mp4", "init-1-2-3.mp4",
            "init-65536.mp4", "init-x.mp4", "segment-99999999999999999999.m4s", "INDEX.M3U8",
        ] { #expect(WindowFile(name: name) == nil, "\(name)") }
    }

    /// The window is full at 60 s: what leaves within three target durations is not named, but still there.
    @Test mutating func whatIsAboutToGoIsNotNamed() throws {
        var list = WindowList()
        for count in Int64(1)...59 {
            grow(to: count)
            update(&list)
            let risky = list.named.first.map { WindowList.timeLeft(of: $0, look) < 3 * second } ?? false
            #expect(!risky, "\(count)")
        }
        #expect(list.named.first?.number == 3 && list.find(0)?.start == 0)
        grow(to: 70, from: 9)
        update(&list)
        #expect(list.find(8) == nil && list.find(9) != nil && list.named.first?.number == 14)
        #expect(try PlaylistReader(list.playlist.text).segments.first?.number == 14)
    }

    /// With room for 20 s it is the same there.
    @Test mutating func roomCountsAsWellAsTime() {
        look.bounds.bytes = 200_000
        var list = WindowList()
        grow(to: 10)
        update(&list)
        #expect(list.named.first?.number == 0)
        grow(to: 19)
        update(&list)
        // 19.5 s are there, 195 kB: the first one goes in half a second.
        #expect(list.named.first?.number == 3)
        look.bounds = WindowLook.Bounds(window: 60 * second, bytes: 1_000_000, frames: 200)
        var other = WindowList()
        update(&other)
        #expect(other.named.first?.number == 3)
    }

    @Test mutating func aSegmentWaitsForItsSound() {
        var list = WindowList()
        grow(to: 2)
        look.hasSound = true
        // Of the second one the last nanosecond is missing.
        look.soundEnd = 2 * second - 1
        update(&list)
        #expect(list.all.map(\.number) == [0])
        look.soundEnd = 2 * second
        update(&list)
        #expect(list.all.count == 2)
        // Sound that does not come at all holds it up by a second.
        look.soundEnd = nil
        grow(to: 6)
        update(&list)
        #expect(list.all.count == 5)
    }

    @Test mutating func gapsAndFormatsAreDiscontinuities() throws {
        var list = WindowList()
        grow(to: 4)
        list.update(look) { [self] segment, end in
            // After the second one nothing comes for half a second; the fourth has other caps.
            var facts = facts(
                segment, picture: segment.index == 3 ? 2 : 1, end: segment.index == 1 ? end - second / 2 : end)
            if segment.index == 0 { facts.missing = second / 4 }
            return facts
        }
        #expect(list.all.map(\.discontinuity) == [0, 0, 1, 2])
        #expect(list.all.map(\.duration) == [second * 3 / 4, second / 2, second, second])
        #expect(list.all.map { $0.before == nil } == [true, false, true, true])
        let read = try PlaylistReader(list.playlist.text).segments
        #expect(read.map(\.discontinuity) == [0, 0, 1, 2])
        #expect(read.map(\.map) == ["init-1.mp4", "init-1.mp4", "init-1.mp4", "init-2.mp4"])
        // The numbers stay when what they came with has gone.
        look.firstKey = 30
        update(&list)
        #expect(try PlaylistReader(list.playlist.text).segments == read.suffix(1))
    }

    /// Sound comes a while after the pictures, and later is missing for a segment.
    @Test mutating func soundThatIsMissingForAWhileIsNoOtherFormat() {
        var list = WindowList()
        grow(to: 4)
        list.update(look) { [self] segment, end in
            facts(segment, sound: [nil, 5, nil, 5][Int(segment.index)], end: end)
        }
        #expect(list.all.map(\.format.sound) == [nil, 5, 5, 5])
        #expect(list.all.map(\.discontinuity) == [0, 1, 1, 1])
    }

    /// Numbers go on over a reset, where those of the ring's own segments begin anew.
    @Test mutating func noNumberIsUsedTwice() {
        var list = WindowList()
        grow(to: 5)
        update(&list)
        grow(to: 12, from: 9)
        for place in look.segments.indices { look.segments[place].index = UInt64(place) }
        update(&list)
        #expect(list.all.map(\.number) == [9, 10, 11] && list.all.map(\.discontinuity) == [1, 1, 1])
        list.update(look) { _, _ in nil }
        #expect(list.all.count == 3)
        // The target is the longest ever.
        look.segments = [
            Segment(index: 0, start: 20 * second, duration: 7 * second + 1, epoch: 1),
            Segment(index: 1, start: 27 * second + 1, duration: 0, epoch: 1),
        ]
        (look.firstNumber, look.firstKey, look.newest) = (12, 200, 27 * second + 1)
        update(&list)
        #expect(list.targetSeconds == 8 && list.nextNumber == 13)
    }

    /// What goes while it is looked at leaves no hole: numbers in a playlist follow each other.
    @Test mutating func whatWentIsFollowedByWhatIsThere() {
        var list = WindowList()
        grow(to: 3)
        update(&list)
        grow(to: 6)
        list.update(look) { [self] in $0.index == 4 ? nil : facts($0, end: $1) }
        #expect(list.all.map(\.number) == [5] && list.find(5)?.start == 5 * second && list.find(3) == nil)
        #expect(list.all[0].discontinuity == 1)
    }

    /// The next process finds the ring, at one moment or after the oldest went, and names what is there as before.
    @Test(arguments: [0, 2, 3, 5, 7] as [Int64]) mutating func theNextProcessGoesOn(oldest: Int64) throws {
        func described(_ segment: Segment, _ end: Int64) -> WindowFacts {
            // After the third one nothing comes for a while, and the fifth has another format.
            facts(
                segment, picture: segment.start >= 4 * second ? 2 : 1,
                end: segment.start == 2 * second ? end - second / 2 : end)
        }
        var first = WindowList()
        grow(to: 9)
        first.update(look, describe: described)
        #expect(first.all.map(\.discontinuity) == [0, 0, 0, 1, 2, 2, 2, 2, 2])
        let before = first
        grow(to: 10, from: oldest)
        first.update(look, describe: described)
        var next = WindowList(after: before.mark)
        next.update(look, describe: described)
        #expect(next.nextNumber == 10 && next.discontinuity == first.discontinuity)
        #expect(next.named.map(\.number) == first.named.map(\.number))
        for (one, other) in zip(first.all, next.all) {
            #expect(one.number == other.number && one.discontinuity == other.discontinuity && one.start == other.start)
        }
        #expect(first.all.count == next.all.count && first.mark.discontinuity == next.mark.discontinuity)
        #expect(try PlaylistReader(next.playlist.text) == PlaylistReader(first.playlist.text))
        #expect(WindowList(after: WindowMark(targetSeconds: 7)).targetSeconds == 7)
    }

    /// The table has lost what the list still has: no hole comes into the list.
    @Test mutating func aShortTableLeavesNoHole() {
        var list = WindowList()
        grow(to: 9)
        update(&list)
        // Their frames are there, but only the newest segments are in the table.
        grow(to: 20, from: 14)
        look.firstKey = 0
        update(&list)
        #expect(list.all.map(\.number) == Array(14..<20) && list.firstNamed == 14)
        for number in UInt64(14)..<20 { #expect(list.find(number)?.start == Int64(number) * second) }
    }

    /// Of the sound that is missing in the oldest ones nothing is known but what the process before has left.
    @Test mutating func missingSoundIsInherited() {
        func described(_ segment: Segment, _ end: Int64) -> WindowFacts {
            facts(segment, sound: [5, nil, nil, 5, 5][Int(segment.start / second)], end: end)
        }
        var first = WindowList()
        grow(to: 5)
        first.update(look, describe: described)
        #expect(first.all.map(\.format.sound) == [5, 5, 5, 5, 5])
        grow(to: 5, from: 1)
        first.update(look, describe: described)
        var next = WindowList(after: first.mark)
        // It may be asked before anything is complete.
        next.update(WindowLook()) { _, _ in nil }
        next.update(look, describe: described)
        #expect(next.all.map(\.format) == first.all.map(\.format) && next.all.map(\.discontinuity) == [0, 0, 0, 0])
        // Where there is none of it at all it is none.
        var silent = WindowList(after: first.mark)
        silent.update(look) { [self] in facts($0, end: $1) }
        #expect(silent.all.map(\.format.sound) == [nil, nil, nil, nil])
    }

    /// A power cut took the newest segments, which the mark knows.
    @Test mutating func theMarkIsAheadOfWhatIsThere() {
        var list = WindowList(after: WindowMark(firstNamed: 12, number: 11, discontinuity: 7))
        grow(to: 6)
        update(&list)
        #expect(list.named.map(\.number) == Array(0..<6) && list.all.map(\.discontinuity) == [7, 7, 7, 7, 7, 7])
        // Another discontinuity, and another process: it counts from there.
        grow(to: 8)
        list.update(look) { [self] in facts($0, picture: $0.start >= 7 * second ? 2 : 1, end: $1) }
        var next = WindowList(after: list.mark)
        next.update(look) { [self] in facts($0, picture: $0.start >= 7 * second ? 2 : 1, end: $1) }
        #expect(list.all.map(\.discontinuity) == [7, 7, 7, 7, 7, 7, 7, 8])
        #expect(next.all.map(\.discontinuity) == list.all.map(\.discontinuity))
    }
}
