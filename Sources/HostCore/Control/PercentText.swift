/// Percent-encoded text of URIs, decoded strictly.
///
/// - Thread: any. Pure.
enum PercentText {
    /// The decoded text, or nil where an escape is broken, a NUL is meant or the bytes are no UTF-8.
    static func decode(_ text: some Sequence<UInt8>, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var iterator = text.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(digit), let low = iterator.next().flatMap(digit),
                    high | low != 0
                else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The pairs of a query (`a=1&b=x%20y`).
    /// - Throws: `invalid` for a broken escape or a key that is given twice.
    static func query(_ text: String) throws(ControlError) -> [String: String] {
        var pairs: [String: String] = [:]
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let key = decode(halves[0], plusIsSpace: true),
                let value = halves.count == 2 ? decode(halves[1], plusIsSpace: true) : ""
            else { throw ControlError(.invalid, "the query `\(text)` has a broken percent escape") }
            guard pairs.updateValue(value, forKey: key) == nil else {
                throw ControlError(.invalid, "the query gives `\(key)` twice: give it once")
            }
        }
        return pairs
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
