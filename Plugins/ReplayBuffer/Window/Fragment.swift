/// One moof and its mdat (ISO/IEC 14496-12): what lies between two key frames, of pictures and of sound.
///
/// Times are media time in units of a track's scale, so that each segment stands for itself and all follow each other.
/// Pictures keep the order and the times of decoding that they came with; composition offsets are signed (version 1).
///
/// Pure.
struct Fragment: Sendable {
    /// Units in a second for pictures; of sound it is the sample rate.
    static let pictureScale: Int64 = 90_000

    struct Sample: Equatable, Sendable {
        var decode: Int64
        /// Shown that much later.
        var offset: Int64 = 0
        var duration: Int64 = 0
        var size = 0
        var isKey = true
    }

    /// In units of a scale, rounded: sums of differences do not drift. Nothing is before 0.
    static func units(_ nanoseconds: Int64, _ scale: Int64) -> Int64 {
        let (whole, rest) = max(0, nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        return whole &* scale &+ (rest &* scale &+ 500_000_000) / 1_000_000_000
    }

    /// - Parameters:
    ///   - number: of the segment.
    ///   - media: of all pictures, then of all sound, as long as the samples say.
    static func bytes(number: UInt64, pictures: [Sample], sound: [Sample], media: [UInt8]) -> [UInt8] {
        var movie = moof(number, pictures, sound, soundAt: 0, picturesAt: 0)
        // Once more, with what is known now.
        let first = movie.count + 8
        movie = moof(
            number, pictures, sound, soundAt: first + pictures.reduce(0) { $0 + $1.size }, picturesAt: first)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32 + movie.count + media.count)
        var brands: [UInt8] = Array("msdh".utf8)
        brands.append(0, bytes: 4)
        brands += Array("msdhmsix".utf8)
        bytes += [UInt8].box(MovieBoxes.type("styp"), brands)
        bytes += movie
        bytes.append(UInt64(media.count + 8), bytes: 4)
        bytes += Array("mdat".utf8)
        bytes += media
        return bytes
    }

    private static func moof(
        _ number: UInt64, _ pictures: [Sample], _ sound: [Sample], soundAt: Int, picturesAt: Int
    ) -> [UInt8] {
        var body = [UInt8].full("mfhd", version: 0, flags: 0) { $0.append((number + 1) & 0xFFFF_FFFF, bytes: 4) }
        body += track(InitFile.pictureTrack, pictures, at: picturesAt)
        if !sound.isEmpty { body += track(InitFile.soundTrack, sound, at: soundAt) }
        return .box(MovieBoxes.type("moof"), body)
    }

    private static func track(_ id: UInt64, _ samples: [Sample], at offset: Int) -> [UInt8] {
        // default-base-is-moof
        var body = [UInt8].full("tfhd", version: 0, flags: 0x02_0000) { $0.append(id, bytes: 4) }
        body += [UInt8].full("tfdt", version: 1, flags: 0) {
            $0.append(UInt64(bitPattern: samples.first?.decode ?? 0), bytes: 8)
        }
        // Data offset; duration, size, flags and composition offset of each sample.
        body += [UInt8].full("trun", version: 1, flags: 0x00_0F01) { bytes in
            bytes.append(UInt64(samples.count), bytes: 4)
            bytes.append(UInt64(offset), bytes: 4)
            for sample in samples {
                bytes.append(UInt64(bitPattern: sample.duration), bytes: 4)
                bytes.append(UInt64(sample.size), bytes: 4)
                // depends on nothing; depends on others and is no sync sample
                bytes.append(sample.isKey ? 0x0200_0000 : 0x0101_0000, bytes: 4)
                bytes.append(UInt64(bitPattern: sample.offset), bytes: 4)
            }
        }
        return .box(MovieBoxes.type("traf"), body)
    }
}

extension [UInt8] {
    /// A box with version and flags.
    static func full(
        _ name: StaticString, version: UInt8, flags: UInt64, _ write: (inout [UInt8]) -> Void
    ) -> [UInt8] {
        var body: [UInt8] = [version]
        body.append(flags, bytes: 3)
        write(&body)
        return .box(MovieBoxes.type(name), body)
    }
}
