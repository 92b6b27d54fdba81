@testable import ReplayBuffer

/// What a segment says, read box by box.
struct FragmentReader {
    struct Sample: Equatable {
        var decode: Int64
        var shown: Int64
        var duration: Int64
        var isKey: Bool
        var bytes: [UInt8]
    }

    var number: UInt64 = 0
    /// What it has in front of it.
    var head: [UInt8] = []
    /// By the number of the track.
    var tracks: [UInt64: [Sample]] = [:]

    init(_ bytes: [UInt8]) throws {
        let film = MovieBoxes(bytes: bytes)
        var boxes = try film.boxes(in: 0..<bytes.count)
        if boxes.first?.type == MovieBoxes.type("ftyp"), boxes.count == 5 {
            head = Array(bytes[..<boxes[1].end])
            boxes.removeFirst(2)
        }
        guard boxes.map(\.type) == [MovieBoxes.type("styp"), MovieBoxes.type("moof"), MovieBoxes.type("mdat")],
            let header = try film.child("mfhd", of: boxes[1])
        else { throw MovieBoxes.Damaged() }
        number = try film.number(at: header.body + 4, bytes: 4)
        for box in try film.boxes(in: boxes[1].body..<boxes[1].end) where box.type == MovieBoxes.type("traf") {
            try read(box, film, boxes[1].start, boxes[2])
        }
    }

    private mutating func read(
        _ box: MovieBoxes.Box, _ film: MovieBoxes, _ base: Int, _ media: MovieBoxes.Box
    ) throws {
        guard let header = try film.child("tfhd", of: box), let time = try film.child("tfdt", of: box),
            let run = try film.child("trun", of: box), try film.number(at: header.body, bytes: 4) == 0x2_0000,
            try film.number(at: run.body, bytes: 4) == 0x0100_0F01
        else { throw MovieBoxes.Damaged() }
        var decode = Int64(bitPattern: try film.number(at: time.body + 4, bytes: 8))
        var place = base + Int(try film.number(at: run.body + 8, bytes: 4))
        var samples: [Sample] = []
        for index in 0..<Int(try film.number(at: run.body + 4, bytes: 4)) {
            let row = run.body + 12 + index * 16
            let size = Int(try film.number(at: row + 4, bytes: 4))
            guard place >= media.body, place + size <= media.end else { throw MovieBoxes.Damaged() }
            let duration = Int64(try film.number(at: row, bytes: 4))
            let offset = Int64(Int32(truncatingIfNeeded: try film.number(at: row + 12, bytes: 4)))
            samples.append(
                Sample(
                    decode: decode, shown: decode + offset, duration: duration,
                    isKey: try film.number(at: row + 8, bytes: 4) == 0x0200_0000,
                    bytes: Array(film.bytes[place..<place + size])))
            decode += duration
            place += size
        }
        tracks[try film.number(at: header.body + 4, bytes: 4)] = samples
    }

    /// By the number of the track: what is shown, without when it is decoded.
    var contents: [UInt64: [Content]] { tracks.mapValues { $0.map { Content(shown: $0.shown, bytes: $0.bytes) } } }

    struct Content: Equatable {
        var shown: Int64
        var bytes: [UInt8]
    }

    /// The NAL units of a picture as it came, and as it is in a sample.
    static func units(startCodes bytes: [UInt8]) -> [[UInt8]] {
        var units: [[UInt8]] = []
        var current: [UInt8]?
        var place = 0
        while place < bytes.count {
            let isCode = bytes[place...].starts(with: [0, 0, 1])
            if isCode || bytes[place...].starts(with: [0, 0, 0, 1]) {
                if let current { units.append(current) }
                current = []
                place += isCode ? 3 : 4
            } else {
                current?.append(bytes[place])
                place += 1
            }
        }
        if let current { units.append(current) }
        return units
    }

    static func units(lengths bytes: [UInt8]) -> [[UInt8]] {
        var units: [[UInt8]] = []
        var place = 0
        while place + 4 <= bytes.count {
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            guard place + 4 + length <= bytes.count else { return [] }
            units.append(Array(bytes[place + 4..<place + 4 + length]))
            place += 4 + length
        }
        return place == bytes.count ? units : []
    }
}

/// What a playlist says, read line by line as a player does.
struct PlaylistReader: Equatable {
    struct Segment: Equatable {
        var number: UInt64
        var name: String
        var duration: Double
        var map: String
        var date: String
        var discontinuity: UInt64
    }

    var target = 0
    var segments: [Segment] = []

    init(_ text: String) throws {
        struct Broken: Error { var line: String }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.first == "#EXTM3U", lines.last == "" else { throw Broken(line: text) }
        var (number, discontinuity) = (UInt64(0), UInt64(0))
        var (map, date, duration) = ("", "", -1.0)
        for line in lines.dropFirst().dropLast() {
            let value = String(line.drop { $0 != ":" }.dropFirst())
            switch line.prefix(while: { $0 != ":" }) {
            case "#EXT-X-VERSION": guard value == "7" else { throw Broken(line: line) }
            case "#EXT-X-TARGETDURATION": target = Int(value) ?? -1
            case "#EXT-X-MEDIA-SEQUENCE": number = UInt64(value) ?? .max
            case "#EXT-X-DISCONTINUITY-SEQUENCE": discontinuity = UInt64(value) ?? .max
            case "#EXT-X-INDEPENDENT-SEGMENTS": break
            case "#EXT-X-DISCONTINUITY": discontinuity += 1
            case "#EXT-X-MAP": map = String(value.dropFirst(5).dropLast())
            case "#EXT-X-PROGRAM-DATE-TIME": date = value
            case "#EXTINF": duration = Double(value.dropLast()) ?? -1
            default:
                guard !line.hasPrefix("#"), !map.isEmpty, duration >= 0 else { throw Broken(line: line) }
                segments.append(
                    Segment(
                        number: number, name: line, duration: duration, map: map, date: date,
                        discontinuity: discontinuity))
                number += 1
                duration = -1
            }
        }
    }
}
