import PluginKit

/// The boxes of an ISO base media file (ISO/IEC 14496-12), in memory. Every length is checked.
struct MovieBoxes {
    struct Box {
        var type: UInt32
        /// Where it begins, where its content does, where both end.
        var start: Int
        var body: Int
        var end: Int
    }

    struct Damaged: Error {}

    let bytes: [UInt8]

    static func type(_ name: StaticString) -> UInt32 {
        name.withUTF8Buffer { $0.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// The boxes that fill a range.
    func boxes(in range: Range<Int>) throws(Damaged) -> [Box] {
        var found: [Box] = []
        var place = range.lowerBound
        while place < range.upperBound {
            var size = Int(try number(at: place, bytes: 4))
            var body = place + 8
            if size == 1 {
                size = Int(clamping: try number(at: place + 8, bytes: 8))
                body = place + 16
            }
            guard size >= body - place, size <= range.upperBound - place else { throw Damaged() }
            found.append(
                Box(type: UInt32(try number(at: place + 4, bytes: 4)), start: place, body: body, end: place + size))
            place += size
        }
        return found
    }

    func child(_ name: StaticString, of box: Box) throws(Damaged) -> Box? {
        let type = Self.type(name)
        return try boxes(in: box.body..<box.end).first { $0.type == type }
    }

    /// Big-endian.
    func number(at place: Int, bytes count: Int) throws(Damaged) -> UInt64 {
        guard place >= 0, place <= bytes.count - count else { throw Damaged() }
        return bytes[place..<place + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Of a box with a version, the field behind the two dates: they are 4 bytes each, or 8 in version 1.
    func isLong(_ box: Box) throws(Damaged) -> Bool { try number(at: box.body, bytes: 1) == 1 }
}

extension [UInt8] {
    /// Big-endian.
    mutating func append(_ number: UInt64, bytes count: Int) {
        for byte in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: number >> UInt64(8 * byte))) }
    }

    mutating func put(_ number: UInt64, at place: Int, bytes count: Int) {
        for byte in 0..<count {
            self[place + byte] = UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - 1 - byte)))
        }
    }

    /// A box around what follows.
    static func box(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(body.count + 8)
        bytes.append(UInt64(body.count + 8), bytes: 4)
        bytes.append(UInt64(type), bytes: 4)
        return bytes + body
    }
}
