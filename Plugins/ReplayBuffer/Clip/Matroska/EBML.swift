/// Elements of EBML (RFC 8794), in memory. Every length is checked.
///
/// Pure.
struct EBML {
    struct Element: Equatable {
        /// With its marker, as it is written.
        var id: UInt32
        /// Where it begins, where its content does, where both end.
        var start: Int
        var body: Int
        var end: Int
    }

    struct Damaged: Error {}

    let bytes: [UInt8]

    /// The elements that fill a range. One of unknown length goes to the end of it.
    func elements(in range: Range<Int>) throws(Damaged) -> [Element] {
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else { throw Damaged() }
        var found: [Element] = []
        var place = range.lowerBound
        while place < range.upperBound {
            let idLength = bytes[place].leadingZeroBitCount + 1
            guard idLength <= 4, place + idLength < range.upperBound else { throw Damaged() }
            let sizePlace = place + idLength
            let sizeLength = bytes[sizePlace].leadingZeroBitCount + 1
            let body = sizePlace + sizeLength
            guard sizeLength <= 8, body <= range.upperBound else { throw Damaged() }
            let marker: UInt64 = 1 << UInt64(7 * sizeLength)
            let size = number(sizePlace..<body) & (marker - 1)
            let isUnknown = size == marker - 1
            guard isUnknown || size <= UInt64(range.upperBound - body) else { throw Damaged() }
            let end = isUnknown ? range.upperBound : body + Int(size)
            found.append(
                Element(id: UInt32(truncatingIfNeeded: number(place..<sizePlace)), start: place, body: body, end: end))
            place = end
        }
        return found
    }

    func children(of element: Element) throws(Damaged) -> [Element] { try elements(in: element.body..<element.end) }

    /// An unsigned integer; 0 where it has no bytes.
    func number(of element: Element) throws(Damaged) -> UInt64 {
        guard element.end - element.body <= 8 else { throw Damaged() }
        return number(element.body..<element.end)
    }

    private func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }

    // MARK: Writing

    static func element(_ id: UInt32, _ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(body.count + 12)
        bytes.appendHead(id, size: body.count)
        return bytes + body
    }

    static func element(_ id: UInt32, number: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(number, bytes: max(1, (71 - number.leadingZeroBitCount) / 8))
        return element(id, bytes)
    }

    static func element(_ id: UInt32, text: String) -> [UInt8] { element(id, Array(text.utf8)) }

    static func element(_ id: UInt32, real number: Double) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(number.bitPattern, bytes: 8)
        return element(id, bytes)
    }
}

extension [UInt8] {
    /// What comes before the content of an element.
    mutating func appendHead(_ id: UInt32, size: Int) {
        append(UInt64(id), bytes: (39 - id.leadingZeroBitCount) / 8)
        appendLength(size)
    }

    /// As few bytes as it takes; all bits of a length set would say that it is unknown.
    mutating func appendLength(_ size: Int) {
        var count = 1
        while count < 8, UInt64(size) >= 1 << UInt64(7 * count) - 1 { count += 1 }
        append(1 << UInt64(7 * count) | UInt64(size), bytes: count)
    }
}
