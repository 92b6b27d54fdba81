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

    /// Why `decode` refused a path.
    static func complaint(about path: String) -> String {
        var bytes: [UInt8] = []
        var rest = path.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return
                    "the path `\(path)` has a `%` without two hexadecimal digits behind it: write `%25` for a plain one"
            }
            bytes.append(high << 4 | low)
        }
        return bytes.contains(0)
            ? "the path `\(path)` has `%00`: no name holds a NUL" : "the path `\(path)` is no UTF-8 when it is decoded"
    }

    /// The pairs of a query (`a=1&b=x%20y`).
    /// - Throws: `invalid` for a broken escape or a key that is given twice.
    static func query(_ text: String) throws(ControlError) -> [String: String] {
        var pairs: [String: String] = [:]
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let key = decode(halves[0], plusIsSpace: true) else {
                throw ControlError(.invalid, "a name in the query has \(Self.broken)")
            }
            guard let value = halves.count == 2 ? decode(halves[1], plusIsSpace: true) : "" else {
                throw ControlError(.invalid, "\(quoted(key)) in the query has \(Self.broken)", field: key)
            }
            guard pairs.updateValue(value, forKey: key) == nil else {
                throw ControlError(.invalid, "the query gives `\(key)` twice: give it once", field: key)
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

    private static let broken = "a broken percent escape, a NUL or bytes that are no UTF-8"
}
