import HostTestKit
import Testing

@testable import ReplayBuffer

@Suite struct EditListTests {
    /// A film of one track: milliseconds for the film, 90 kHz for the track.
    private static func film(
        edits: [(duration: UInt64, time: Int64)]?, length: UInt64 = 10_000, isLong: Bool = false
    ) -> [UInt8] {
        func header(_ scale: UInt64, _ length: UInt64) -> [UInt8] {
            var body = [UInt8](repeating: 0, count: 12)
            body.append(scale, bytes: 4)
            body.append(length, bytes: 4)
            return body
        }
        var track = [UInt8](repeating: 0, count: 20)
        track.append(length, bytes: 4)
        var trak = [UInt8].box(MovieBoxes.type("tkhd"), track + [1, 2, 3])
        if let edits {
            var list: [UInt8] = [isLong ? 1 : 0, 0, 0, 0]
            list.append(UInt64(edits.count), bytes: 4)
            for edit in edits {
                list.append(edit.duration, bytes: isLong ? 8 : 4)
                list.append(UInt64(bitPattern: edit.time), bytes: isLong ? 8 : 4)
                list.append(0x10000, bytes: 4)
            }
            trak += .box(MovieBoxes.type("edts"), .box(MovieBoxes.type("elst"), list))
        }
        trak += .box(MovieBoxes.type("mdia"), .box(MovieBoxes.type("mdhd"), header(90_000, length * 90)))
        let mvhd = [UInt8].box(MovieBoxes.type("mvhd"), header(1000, length))
        return .box(MovieBoxes.type("moov"), mvhd + .box(MovieBoxes.type("trak"), trak) + .box(7, [9]))
    }

    /// Duration in milliseconds and time in 90 kHz of each edit, and the film's and the track's length.
    private static func read(_ moov: [UInt8]) throws -> (edits: [[Int64]], film: UInt64, track: UInt64) {
        let film = MovieBoxes(bytes: moov)
        let root = try #require(try film.boxes(in: 0..<moov.count).first)
        let mvhd = try #require(try film.child("mvhd", of: root))
        let trak = try #require(try film.child("trak", of: root))
        let tkhd = try #require(try film.child("tkhd", of: trak))
        let edts = try #require(try film.child("edts", of: trak))
        let elst = try #require(try film.child("elst", of: edts))
        let count = Int(try film.number(at: elst.body + 4, bytes: 4))
        let edits = try (0..<count).map { number in
            [
                Int64(try film.number(at: elst.body + 8 + number * 20, bytes: 8)),
                Int64(bitPattern: try film.number(at: elst.body + 16 + number * 20, bytes: 8)),
            ]
        }
        let all = try film.boxes(in: root.body..<root.end)
        #expect(all.map(\.type) == [MovieBoxes.type("mvhd"), MovieBoxes.type("trak"), 7])
        return (
            edits, try film.number(at: mvhd.body + 16, bytes: 4), try film.number(at: tkhd.body + 20, bytes: 4)
        )
    }

    @Test func aTrackWithoutAListIsShownFromTheStart() throws {
        let made = try EditList(start: 1_500_000_000, end: 4_000_000_000).apply(to: Self.film(edits: nil))
        let (edits, film, track) = try Self.read(made)
        #expect(edits == [[2500, 135_000]] && film == 4000 && track == 2500)
    }

    @Test func whatTheMuxerHidesStaysHiddenAndWhatBeginsLaterDoesSo() throws {
        // Nothing for 2 s, then from 0.1 s of the track on.
        let film = Self.film(edits: [(2000, -1), (8000, 9000)])
        #expect(
            try Self.read(EditList(start: second, end: 5 * second).apply(to: film)).edits == [
                [1000, -1], [3000, 9000],
            ])
        #expect(
            try Self.read(EditList(start: 3 * second, end: 5 * second).apply(to: film)).edits == [[2000, 99_000]])
        #expect(try Self.read(EditList(start: 0, end: second).apply(to: film)).edits == [[1000, -1]])
    }

    @Test func timesThatHaveNoSumAreRefused() throws {
        let lists: [[(duration: UInt64, time: Int64)]] = [
            [(UInt64(Int64.max), 0), (UInt64(Int64.max), 0)], [(UInt64.max, 5)], [(5, Int64.max)],
            [(900_000_000_000_000, 0), (900_000_000_000_000, 0)], [(1000, 1 << 55), (1000, 0)],
        ]
        for edits in lists {
            let film = Self.film(edits: edits, isLong: true)
            #expect(throws: MovieBoxes.Damaged.self) { try EditList(start: 0, end: second).apply(to: film) }
        }
        #expect(
            try Self.read(
                EditList(start: second, end: 5 * second).apply(to: Self.film(edits: [(9000, 90)], isLong: true))
            ).edits == [[4000, 90_090]])
    }

    @Test func damagedFilmsAreRefused() throws {
        var campaign = Campaign(rounds: 3000)
        let film = Self.film(edits: [(2000, -1), (8000, 9000)])
        #expect(throws: MovieBoxes.Damaged.self) { try EditList(start: 0, end: 1).apply(to: []) }
        for _ in 0..<campaign.rounds {
            var bytes = film
            for _ in 0..<Int.random(in: 1...4, using: &campaign) {
                bytes[Int.random(in: bytes.indices, using: &campaign)] = UInt8.random(in: 0...255, using: &campaign)
            }
            bytes.removeLast(Int.random(in: 0...20, using: &campaign))
            // Refused or changed, never a trap.
            _ = try? EditList(start: second, end: 2 * second).apply(to: bytes)
        }
    }
}
