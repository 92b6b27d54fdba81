import PluginKit

/// The init file of a format: which tracks there are and how they are decoded, without a sample.
///
/// How a codec is described (avcC, hvcC, av1C, vpcC, esds, dOps) is mp4mux's: it gets one frame of each track, and its
/// sample descriptions are taken over. All the rest says the same for every format: tracks 1 and 2, no edit list, times as in
/// `Fragment`.
///
/// Pure.
struct InitFile: Equatable, Sendable {
    static let pictureTrack: UInt64 = 1
    static let soundTrack: UInt64 = 2

    let bytes: [UInt8]
    /// For whoever asks whether it can be played: `video/mp4; codecs="avc1.64001f,mp4a.40.2"`.
    let type: String
    /// Units in a second of sound.
    let soundScale: Int64

    private struct Track {
        /// `stsd`, all of it.
        var description: [UInt8]
        var codec: String
        var width: UInt64 = 0
        var height: UInt64 = 0
        var rate: Int64 = 48_000
    }

    /// - Parameter film: what mp4mux wrote.
    init(film bytes: [UInt8]) throws(MovieBoxes.Damaged) {
        let film = MovieBoxes(bytes: bytes)
        guard let movie = try film.boxes(in: 0..<bytes.count).first(where: { $0.type == MovieBoxes.type("moov") })
        else { throw MovieBoxes.Damaged() }
        var (picture, sound): (Track?, Track?)
        for box in try film.boxes(in: movie.body..<movie.end) where box.type == MovieBoxes.type("trak") {
            guard let media = try film.child("mdia", of: box), let handler = try film.child("hdlr", of: media),
                let information = try film.child("minf", of: media),
                let table = try film.child("stbl", of: information),
                let description = try film.child("stsd", of: table)
            else { throw MovieBoxes.Damaged() }
            let kind = UInt32(try film.number(at: handler.body + 8, bytes: 4))
            if kind == MovieBoxes.type("vide") { picture = try Self.track(film, description, isVideo: true) }
            if kind == MovieBoxes.type("soun") { sound = try Self.track(film, description, isVideo: false) }
        }
        guard let picture else { throw MovieBoxes.Damaged() }
        soundScale = sound?.rate ?? 48_000
        type = "video/mp4; codecs=\"\(picture.codec)\(sound.map { ",\($0.codec)" } ?? "")\""
        self.bytes = Self.write(picture, sound)
    }

    private static func track(
        _ film: MovieBoxes, _ description: MovieBoxes.Box, isVideo: Bool
    ) throws(MovieBoxes.Damaged) -> Track {
        guard let entry = try film.boxes(in: description.body + 8..<description.end).first else {
            throw MovieBoxes.Damaged()
        }
        var track = Track(
            description: Array(film.bytes[description.start..<description.end]),
            codec: try CodecName.find(film, entry, isVideo: isVideo))
        if isVideo {
            track.width = try film.number(at: entry.body + 24, bytes: 2)
            track.height = try film.number(at: entry.body + 26, bytes: 2)
        } else {
            let rate = Int64(try film.number(at: entry.body + 24, bytes: 2))
            track.rate = rate > 0 ? rate : 48_000
            try mendOpus(&track.description, film, entry, from: description.start)
        }
        return track
    }

    /// mp4mux (1.22) copies the numbers of an Ogg header, which are little-endian, into `dOps`, where they are not; Chromium
    /// then refuses the file. One that is right is left alone.
    private static func mendOpus(
        _ description: inout [UInt8], _ film: MovieBoxes, _ entry: MovieBoxes.Box, from start: Int
    ) throws(MovieBoxes.Damaged) {
        guard entry.type == MovieBoxes.type("Opus"), entry.body + 28 <= entry.end else { return }
        let box = try film.boxes(in: entry.body + 28..<entry.end).first { $0.type == MovieBoxes.type("dOps") }
        guard let box, box.end - box.body >= 11 else { return }
        let rate = UInt32(try film.number(at: box.body + 4, bytes: 4))
        guard rate > mostRate, rate.byteSwapped <= mostRate else { return }
        // Pre-skip, input sample rate, output gain.
        for (offset, count) in [(2, 2), (4, 4), (8, 2)] {
            let place = box.body - start + offset
            description[place..<place + count].reverse()
        }
    }

    /// Hertz: more than any sound has.
    private static let mostRate: UInt32 = 768_000

    // MARK: Writing

    private static func write(_ picture: Track, _ sound: Track?) -> [UInt8] {
        var brands = Array("iso6".utf8)
        brands.append(0, bytes: 4)
        brands += Array("iso6cmfcmp41".utf8)
        var body = [UInt8].full("mvhd", version: 0, flags: 0) { bytes in
            bytes.append(0, bytes: 8)
            bytes.append(1000, bytes: 4)
            bytes.append(0, bytes: 4)
            bytes.append(0x0001_0000, bytes: 4)
            bytes.append(0x0100, bytes: 2)
            bytes += [UInt8](repeating: 0, count: 10)
            bytes += matrix
            bytes += [UInt8](repeating: 0, count: 24)
            bytes.append(soundTrack + 1, bytes: 4)
        }
        var extends = extend(pictureTrack)
        body += self.track(pictureTrack, picture, Fragment.pictureScale, isVideo: true)
        if let sound {
            body += self.track(soundTrack, sound, sound.rate, isVideo: false)
            extends += extend(soundTrack)
        }
        body += [UInt8].box(MovieBoxes.type("mvex"), extends)
        return .box(MovieBoxes.type("ftyp"), brands) + .box(MovieBoxes.type("moov"), body)
    }

    private static func track(_ id: UInt64, _ track: Track, _ scale: Int64, isVideo: Bool) -> [UInt8] {
        // In the film, and in its preview.
        var body = [UInt8].full("tkhd", version: 0, flags: 3) { bytes in
            bytes.append(0, bytes: 8)
            bytes.append(id, bytes: 4)
            bytes += [UInt8](repeating: 0, count: 16)
            bytes.append(0, bytes: 4)
            bytes.append(isVideo ? 0 : 0x0100, bytes: 2)
            bytes.append(0, bytes: 2)
            bytes += matrix
            bytes.append(track.width << 16, bytes: 4)
            bytes.append(track.height << 16, bytes: 4)
        }
        var media = [UInt8].full("mdhd", version: 0, flags: 0) { bytes in
            bytes.append(0, bytes: 8)
            bytes.append(UInt64(bitPattern: scale), bytes: 4)
            bytes.append(0, bytes: 4)
            // und
            bytes.append(0x55C4, bytes: 2)
            bytes.append(0, bytes: 2)
        }
        media += [UInt8].full("hdlr", version: 0, flags: 0) { bytes in
            bytes.append(0, bytes: 4)
            bytes += Array((isVideo ? "vide" : "soun").utf8)
            bytes += [UInt8](repeating: 0, count: 13)
        }
        var information =
            isVideo
            ? [UInt8].full("vmhd", version: 0, flags: 1) { $0.append(0, bytes: 8) }
            : [UInt8].full("smhd", version: 0, flags: 0) { $0.append(0, bytes: 4) }
        information += [UInt8].box(
            MovieBoxes.type("dinf"),
            .full("dref", version: 0, flags: 0) { bytes in
                bytes.append(1, bytes: 4)
                // In this file.
                bytes += [UInt8].full("url ", version: 0, flags: 1) { _ in }
            })
        var table = track.description
        table += [UInt8].full("stts", version: 0, flags: 0) { $0.append(0, bytes: 4) }
        table += [UInt8].full("stsc", version: 0, flags: 0) { $0.append(0, bytes: 4) }
        table += [UInt8].full("stsz", version: 0, flags: 0) { $0.append(0, bytes: 8) }
        table += [UInt8].full("stco", version: 0, flags: 0) { $0.append(0, bytes: 4) }
        information += [UInt8].box(MovieBoxes.type("stbl"), table)
        media += [UInt8].box(MovieBoxes.type("minf"), information)
        body += [UInt8].box(MovieBoxes.type("mdia"), media)
        return .box(MovieBoxes.type("trak"), body)
    }

    private static func extend(_ id: UInt64) -> [UInt8] {
        .full("trex", version: 0, flags: 0) { bytes in
            bytes.append(id, bytes: 4)
            bytes.append(1, bytes: 4)
            bytes += [UInt8](repeating: 0, count: 12)
        }
    }

    /// Nothing is moved or turned.
    private static var matrix: [UInt8] {
        var bytes: [UInt8] = []
        for number: UInt64 in [0x0001_0000, 0, 0, 0, 0x0001_0000, 0, 0, 0, 0x4000_0000] {
            bytes.append(number, bytes: 4)
        }
        return bytes
    }
}
