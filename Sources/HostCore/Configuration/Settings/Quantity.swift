/// Durations and sizes as people write them: a number with a unit, exact or refused.
public enum Quantity {
    /// A text that is no quantity. The message says what is wrong, the help lists the units.
    public struct Invalid: Error, Equatable {
        public var message: String
        public var help: String
    }

    private struct Kind {
        var name: String
        var base: String
        var units: [(String, Int64)]
        var help: String
    }

    private static let durations = Kind(
        name: "duration", base: "nanosecond",
        units: [
            ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("min", 60_000_000_000),
            ("h", 3_600_000_000_000),
        ],
        help: "a duration is a number and a unit: ns, us, ms, s, min or h")

    private static let sizes = Kind(
        name: "size", base: "byte",
        units: [
            ("B", 1), ("k", 1_000), ("K", 1_000), ("kB", 1_000), ("KB", 1_000), ("M", 1_000_000), ("MB", 1_000_000),
            ("G", 1_000_000_000), ("GB", 1_000_000_000), ("T", 1_000_000_000_000), ("TB", 1_000_000_000_000),
            ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
        ],
        help: "a size is a number and a unit: B, kB, MB, GB, TB (thousands) or KiB, MiB, GiB, TiB (1024s)")

    /// Nanoseconds. A bare `0` needs no unit.
    public static func duration(_ text: String) throws(Invalid) -> Int64 { try parse(text, durations) }

    /// Bytes. A bare `0` needs no unit; `4k` are 4000 bytes.
    public static func size(_ text: String) throws(Invalid) -> Int64 { try parse(text, sizes) }

    /// Nanoseconds as a person would write them: the largest unit that comes out even.
    public static func durationText(_ nanoseconds: Int64) -> String { text(nanoseconds, durations.units) }

    /// Bytes as a person would write them.
    public static func sizeText(_ bytes: Int64) -> String {
        text(bytes, sizes.units.filter { ["B", "kB", "MB", "GB", "KiB", "MiB", "GiB", "TiB"].contains($0.0) })
    }

    /// A decimal number without a unit: `2`, `0.5`.
    static func number(_ text: String) -> Double? {
        guard text.utf8.first?.isASCIIDigit == true, text.utf8.last?.isASCIIDigit == true,
            text.utf8.allSatisfy({ $0.isASCIIDigit || $0 == "." }), let number = Double(text), number.isFinite
        else { return nil }
        return number
    }

    /// The bounds of a number, for help texts.
    static func range(_ range: ClosedRange<Double>) -> String {
        func text(_ number: Double) -> String { Int64(exactly: number).map { "\($0)" } ?? "\(number)" }
        return "valid: \(text(range.lowerBound)) to \(text(range.upperBound))"
    }

    private static func text(_ value: Int64, _ units: [(String, Int64)]) -> String {
        guard value != 0 else { return "0" }
        let best = units.filter { value % $0.1 == 0 }.max { $0.1 < $1.1 }
        return best.map { "\(value / $0.1)\($0.0)" } ?? "\(value)"
    }

    private static func parse(_ text: String, _ kind: Kind) throws(Invalid) -> Int64 {
        func invalid(_ message: String) -> Invalid { Invalid(message: message, help: kind.help) }
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count, bytes[index].isASCIIDigit || bytes[index] == "." { index += 1 }
        let number = bytes[..<index]
        while index < bytes.count, bytes[index] == " " { index += 1 }
        let unit = String(decoding: bytes[index...], as: UTF8.self)
        if bytes.first == UInt8(ascii: "-") { throw invalid("\(quoted(text)): a \(kind.name) cannot be negative") }
        let parts = number.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty, parts.count <= 2, parts.count == 1 || !parts[1].isEmpty else {
            throw invalid("\(quoted(text)) is no \(kind.name)")
        }
        let fraction = parts.count == 2 ? parts[1] : []
        guard !unit.isEmpty else {
            if number.allSatisfy({ $0 == "0" || $0 == "." }) { return 0 }
            throw invalid("\(quoted(text)) needs a unit")
        }
        guard let factor = kind.units.first(where: { $0.0 == unit })?.1 else {
            throw invalid("\(quoted(text)) has an unknown unit \(quoted(unit))")
        }
        var value: Int64 = 0
        for digit in whole {
            guard let next = value.scaledAdding(digit) else { throw invalid("\(quoted(text)) is too large") }
            value = next
        }
        let (product, overflow) = value.multipliedReportingOverflow(by: factor)
        guard !overflow else { throw invalid("\(quoted(text)) is too large") }
        guard let extra = exactly(fraction, of: factor) else {
            throw invalid("\(quoted(text)) is no whole number of \(kind.base)s")
        }
        let sum = product.addingReportingOverflow(extra)
        guard !sum.overflow else { throw invalid("\(quoted(text)) is too large") }
        return sum.partialValue
    }

    /// The decimal fraction `digits` of `factor`, or nil where it is no whole number.
    private static func exactly(_ digits: ArraySlice<UInt8>, of factor: Int64) -> Int64? {
        var numerator: Int64 = 0
        var denominator: Int64 = 1
        var significant = digits
        while significant.last == UInt8(ascii: "0") { significant.removeLast() }
        guard significant.count <= 18 else { return nil }
        for digit in significant {
            numerator = numerator * 10 + Int64(digit - 0x30)
            denominator *= 10
        }
        let (high, low) = factor.multipliedFullWidth(by: numerator)
        let (quotient, remainder) = denominator.dividingFullWidth((high, low))
        return remainder == 0 ? quotient : nil
    }
}

extension Int64 {
    /// `self * 10 + digit`, or nil where that does not fit.
    fileprivate func scaledAdding(_ digit: UInt8) -> Int64? {
        let (scaled, overflow) = multipliedReportingOverflow(by: 10)
        guard !overflow else { return nil }
        let (sum, carry) = scaled.addingReportingOverflow(Int64(digit) - 0x30)
        return carry ? nil : sum
    }
}
