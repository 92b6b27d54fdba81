import PluginKit

/// Lets players show a part of a film and nothing else of it: the `moov` box with edit lists for each track.
///
/// What is before the first picture that is shown stays in the file, because that picture needs it.
struct EditList: Equatable, Sendable {
    /// Nanoseconds of the film as it was written: the first picture, and the end of the last.
    var start: Int64
    var end: Int64

    /// Nanoseconds: longer films, and tracks that begin later, are no clip's, and their sums have no number.
    private static let most: Int64 = 1 << 60

    /// One edit: `time` in the track's own units, nil where nothing is shown; both in nanoseconds here.
    private struct Edit {
        var duration: Int64
        var time: Int64?
    }

    /// The new box for the one that was written.
    func apply(to moov: [UInt8]) throws(MovieBoxes.Damaged) -> [UInt8] {
        let film = MovieBoxes(bytes: moov)
        guard let root = try film.boxes(in: 0..<moov.count).first, root.type == MovieBoxes.type("moov"),
            let header = try film.child("mvhd", of: root)
        else { throw MovieBoxes.Damaged() }
        let scale = try timescale(film, header)
        let boxes = try film.boxes(in: root.body..<root.end)
        var tracks: [Int: [UInt8]] = [:]
        var length: Int64 = 0
        for box in boxes where box.type == MovieBoxes.type("trak") {
            let (bytes, reach) = try track(film, box, scale)
            tracks[box.start] = bytes
            length = max(length, reach)
        }
        var body: [UInt8] = []
        for box in boxes {
            var bytes = tracks[box.start] ?? Array(moov[box.start..<box.end])
            if box.type == header.type {
                let isLong = try film.isLong(box)
                try Self.put(length, scale, in: &bytes, at: box.body - box.start + (isLong ? 24 : 16), isLong: isLong)
            }
            body += bytes
        }
        return .box(root.type, body)
    }

    /// The new box, and how long the film must say it is. That is more than what is shown: qtdemux (1.22) stops where the
    /// track's own times, hidden ones included, reach the film's length.
    private func track(
        _ film: MovieBoxes, _ track: MovieBoxes.Box, _ scale: Int64
    ) throws(MovieBoxes.Damaged) -> ([UInt8], Int64) {
        guard let header = try film.child("tkhd", of: track), let media = try film.child("mdia", of: track),
            let mediaHeader = try film.child("mdhd", of: media)
        else { throw MovieBoxes.Damaged() }
        let mediaScale = try timescale(film, mediaHeader)
        let edits = cut(try edits(film, track, mediaHeader, scale, mediaScale))
        let shown = edits.reduce(0) { $0 + $1.duration }
        var body: [UInt8] = []
        for box in try film.boxes(in: track.body..<track.end) {
            switch box.type {
            case header.type:
                var bytes = Array(film.bytes[box.start..<box.end])
                let isLong = try film.isLong(box)
                try Self.put(shown, scale, in: &bytes, at: box.body - box.start + (isLong ? 28 : 20), isLong: isLong)
                body += bytes
                body += .box(MovieBoxes.type("edts"), Self.list(edits, scale, mediaScale))
            case MovieBoxes.type("edts"): break
            default: body += film.bytes[box.start..<box.end]
            }
        }
        let reach = edits.reduce(shown) { max($0, ($1.time ?? 0) + $1.duration) }
        return (.box(track.type, body), reach)
    }

    /// What is shown now, from `start` to `end`.
    private func cut(_ edits: [Edit]) -> [Edit] {
        var found: [Edit] = []
        var place: Int64 = 0
        for edit in edits {
            let (from, to) = (max(place, start), min(place + edit.duration, end))
            if to > from {
                found.append(Edit(duration: to - from, time: edit.time.map { $0 + from - place }))
            }
            place += edit.duration
        }
        return found
    }

    /// The edits a track has; without a list all of it is shown.
    private func edits(
        _ film: MovieBoxes, _ track: MovieBoxes.Box, _ mediaHeader: MovieBoxes.Box, _ scale: Int64, _ mediaScale: Int64
    ) throws(MovieBoxes.Damaged) -> [Edit] {
        guard let edit = try film.child("edts", of: track), let list = try film.child("elst", of: edit) else {
            let isLong = try film.isLong(mediaHeader)
            let length = try film.number(at: mediaHeader.body + (isLong ? 24 : 16), bytes: isLong ? 8 : 4)
            return [Edit(duration: try Self.nanoseconds(Int64(clamping: length), mediaScale), time: 0)]
        }
        let width = try film.isLong(list) ? 8 : 4
        let count = Int(try film.number(at: list.body + 4, bytes: 4))
        guard count <= (list.end - list.body) / (2 * width + 4) else { throw MovieBoxes.Damaged() }
        var edits: [Edit] = []
        var all: Int64 = 0
        for number in 0..<count {
            let place = list.body + 8 + number * (2 * width + 4)
            let length = Int64(clamping: try film.number(at: place, bytes: width))
            let raw = try film.number(at: place + width, bytes: width)
            let time = width == 8 ? Int64(bitPattern: raw) : Int64(Int32(truncatingIfNeeded: raw))
            let edit = Edit(
                duration: try Self.nanoseconds(length, scale),
                time: time < 0 ? nil : try Self.nanoseconds(time, mediaScale))
            all += edit.duration
            guard all <= Self.most else { throw MovieBoxes.Damaged() }
            edits.append(edit)
        }
        return edits
    }

    private static func list(_ edits: [Edit], _ scale: Int64, _ mediaScale: Int64) -> [UInt8] {
        var body: [UInt8] = [1, 0, 0, 0]
        body.append(UInt64(edits.count), bytes: 4)
        for edit in edits {
            // Rounded down: one unit more would show the picture after the last.
            body.append(UInt64(clamping: units(edit.duration, scale)), bytes: 8)
            let time = edit.time.map { units($0 + 500_000_000 / mediaScale, mediaScale) } ?? -1
            body.append(UInt64(bitPattern: time), bytes: 8)
            body.append(0x0001_0000, bytes: 4)
        }
        return .box(MovieBoxes.type("elst"), body)
    }

    private func timescale(_ film: MovieBoxes, _ header: MovieBoxes.Box) throws(MovieBoxes.Damaged) -> Int64 {
        let scale = Int64(try film.number(at: header.body + (try film.isLong(header) ? 20 : 12), bytes: 4))
        guard scale > 0 else { throw MovieBoxes.Damaged() }
        return scale
    }

    private static func put(
        _ duration: Int64, _ scale: Int64, in bytes: inout [UInt8], at place: Int, isLong: Bool
    ) throws(MovieBoxes.Damaged) {
        let width = isLong ? 8 : 4
        guard place <= bytes.count - width else { throw MovieBoxes.Damaged() }
        bytes.put(
            min(UInt64(clamping: units(duration, scale)), isLong ? .max : UInt64(UInt32.max)), at: place, bytes: width)
    }

    private static func units(_ nanoseconds: Int64, _ scale: Int64) -> Int64 {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return whole &* scale &+ rest &* scale / 1_000_000_000
    }

    /// From 0 to `most`.
    private static func nanoseconds(_ units: Int64, _ scale: Int64) throws(MovieBoxes.Damaged) -> Int64 {
        let (whole, rest) = units.quotientAndRemainder(dividingBy: scale)
        guard units >= 0, whole < most / 1_000_000_000 else { throw MovieBoxes.Damaged() }
        return whole * 1_000_000_000 + rest * 1_000_000_000 / scale
    }
}
