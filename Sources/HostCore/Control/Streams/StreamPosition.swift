/// The last thing a client has seen of a stream, as it says it when it comes back: `<boot>.<number>`.
///
/// Numbers begin anew with each start of the host, so they mean something only together with it.
struct StreamPosition: Sendable, Equatable {
    /// The text as a regular expression.
    static let pattern = "^[0-9a-fA-F]{16}\\.[0-9]{1,19}$"

    /// Random per start of the host; 16 hexadecimal digits.
    var boot: UInt64
    var sequence: UInt64

    init(boot: UInt64, sequence: UInt64) {
        self.boot = boot
        self.sequence = sequence
    }

    /// Nil for what is no such text.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count == 16, let first = parts[0].first, Self.isHexDigit(first),
            let boot = UInt64(String(decoding: Array(parts[0]), as: UTF8.self), radix: 16),
            let digit = parts[1].first, digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9"),
            let sequence = UInt64(String(decoding: Array(parts[1]), as: UTF8.self))
        else { return nil }
        self.init(boot: boot, sequence: sequence)
    }

    var text: String {
        let digits = String(boot, radix: 16)
        return String(repeating: "0", count: max(0, 16 - digits.utf8.count)) + digits + ".\(sequence)"
    }

    /// Swift's parser takes a sign.
    private static func isHexDigit(_ byte: UInt8) -> Bool { byte != UInt8(ascii: "+") && byte != UInt8(ascii: "-") }
}
