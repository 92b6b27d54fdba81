/// The names of codecs in a MIME type (RFC 6381), out of what a sample description says.
///
/// Pure.
enum CodecName {
    /// Where the boxes of an entry begin, behind its fields.
    private static func fields(isVideo: Bool) -> Int { isVideo ? 78 : 28 }

    static func find(
        _ film: MovieBoxes, _ entry: MovieBoxes.Box, isVideo: Bool
    ) throws(MovieBoxes.Damaged) -> String {
        let begin = entry.body + fields(isVideo: isVideo)
        guard begin <= entry.end else { throw MovieBoxes.Damaged() }
        let boxes = try film.boxes(in: begin..<entry.end)
        let name = text(entry.type)
        func place(_ type: StaticString) throws(MovieBoxes.Damaged) -> Int {
            guard let box = boxes.first(where: { $0.type == MovieBoxes.type(type) }) else { throw MovieBoxes.Damaged() }
            return box.body
        }
        switch name {
        case "avc1", "avc3":
            return "\(name).\(hex(try film.number(at: try place("avcC") + 1, bytes: 3), 6))"
        case "hvc1", "hev1": return try h265(name, film, try place("hvcC"))
        case "av01": return try av1(film, try place("av1C"))
        case "vp09":
            // Version and flags come first.
            let at = try place("vpcC") + 4
            let depth = try film.number(at: at + 2, bytes: 1) >> 4
            return "vp09.\(digits(try film.number(at: at, bytes: 1))).\(digits(try film.number(at: at + 1, bytes: 1)))"
                + ".\(digits(depth))"
        case "mp4a": return "mp4a.40.\(try audioObject(film, try place("esds") + 4))"
        case "Opus": return "opus"
        default: throw MovieBoxes.Damaged()
        }
    }

    /// ISO/IEC 14496-15, annex E.
    private static func h265(_ name: String, _ film: MovieBoxes, _ at: Int) throws(MovieBoxes.Damaged) -> String {
        let first = try film.number(at: at + 1, bytes: 1)
        let flags = UInt32(try film.number(at: at + 2, bytes: 4))
        var turned: UInt32 = 0
        for bit in 0..<32 where flags >> UInt32(bit) & 1 == 1 { turned |= 1 << UInt32(31 - bit) }
        let space = ["", "A", "B", "C"][Int(first >> 6)]
        let level = try film.number(at: at + 12, bytes: 1)
        var constraints: [UInt64] = []
        for place in 0..<6 { constraints.append(try film.number(at: at + 6 + place, bytes: 1)) }
        while constraints.last == 0 { constraints.removeLast() }
        let tail = constraints.map { ".\(hex($0, 1))" }.joined()
        return
            "\(name).\(space)\(first & 31).\(hex(UInt64(turned), 1)).\(first >> 5 & 1 == 1 ? "H" : "L")\(level)\(tail)"
    }

    /// "AV1 Codec ISO Media File Format Binding", section 5.
    private static func av1(_ film: MovieBoxes, _ at: Int) throws(MovieBoxes.Damaged) -> String {
        let second = try film.number(at: at + 1, bytes: 1)
        let third = try film.number(at: at + 2, bytes: 1)
        let depth = third >> 6 & 1 == 0 ? 8 : third >> 5 & 1 == 1 ? 12 : 10
        return "av01.\(second >> 5).\(digits(second & 31))\(third >> 7 == 1 ? "H" : "M").\(digits(UInt64(depth)))"
    }

    /// ISO/IEC 14496-1: the descriptors within each other, down to the decoder's own.
    private static func audioObject(_ film: MovieBoxes, _ begin: Int) throws(MovieBoxes.Damaged) -> UInt64 {
        var place = begin
        // The stream's descriptor has 3 bytes of its own, the decoder's 13.
        for (tag, skipped) in [(3, 3), (4, 13), (5, 0)] as [(UInt64, Int)] {
            guard try film.number(at: place, bytes: 1) == tag else { throw MovieBoxes.Damaged() }
            place += 1
            while try film.number(at: place, bytes: 1) >> 7 == 1 { place += 1 }
            place += 1 + skipped
        }
        let bits = try film.number(at: place, bytes: 2)
        return bits >> 11 == 31 ? 32 + (bits >> 5 & 63) : bits >> 11
    }

    private static func text(_ type: UInt32) -> String {
        String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: type >> UInt32(24 - 8 * $0)) }, as: UTF8.self)
    }

    private static func digits(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func hex(_ number: UInt64, _ count: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
