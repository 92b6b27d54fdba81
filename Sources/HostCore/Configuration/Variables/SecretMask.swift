/// The secrets a configuration was given, so that no output shows them.
///
/// ```swift
/// log.error(configuration.secrets.mask(error.message))     // "cannot connect to rtsp://porch:***@10.0.0.7/"
/// ```
/// A secret is found as it is, percent-encoded as in URIs, and escaped as in launch texts, graphs and JSON.
/// - Thread: any.
public struct SecretMask: Sendable, Equatable {
    /// Longest first, so that a secret that begins another does not leave the rest of it.
    private let secrets: [[UInt8]]
    /// By byte: whether a secret, or an escape of one, may begin with it.
    private var isFirst = [Bool](repeating: false, count: 256)

    /// A shorter secret would be found in texts that have nothing to do with it.
    public static let shortest = 4

    /// Nothing is secret.
    public init() { secrets = [] }

    init(_ secrets: some Sequence<[UInt8]>) {
        let unique = Set(secrets.filter { $0.count >= Self.shortest })
        self.secrets = unique.sorted { $0.count != $1.count ? $0.count > $1.count : $0.lexicographicallyPrecedes($1) }
        for secret in self.secrets { isFirst[Int(secret[0])] = true }
        for byte in "%\\".utf8 { isFirst[Int(byte)] = true }
    }

    /// What either hides: after a reload the old secrets may still turn up.
    public func merged(with other: SecretMask) -> SecretMask { SecretMask(secrets + other.secrets) }

    public var isEmpty: Bool { secrets.isEmpty }

    /// `text` with `***` in the place of each secret.
    public func mask(_ text: String) -> String {
        guard !secrets.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        var isMasked = false
        guard bytes.contains(where: { isFirst[Int($0)] }) else { return text }
        while index < bytes.count {
            let mayBegin = isFirst[Int(bytes[index])] || (index > 0 && bytes[index - 1] == UInt8(ascii: "\\"))
            if mayBegin, let end = secretEnd(bytes, at: index) {
                result += Array("***".utf8)
                index = end
                isMasked = true
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return isMasked ? String(decoding: result, as: UTF8.self) : text
    }

    /// Every text of a tree masked, keys included.
    public func mask(_ value: Value) -> Value {
        guard !secrets.isEmpty else { return value }
        switch value {
        case .string(let text): return .string(mask(text))
        case .list(let items): return .list(items.map { mask($0) })
        case .map(let members): return .map(members.map { .init(mask($0.key), mask($0.value)) })
        case .null, .bool, .int, .double: return value
        }
    }

    /// The places stay: a file holds the name of a secret, not the secret.
    public func mask(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        guard !secrets.isEmpty else { return diagnostics }
        return diagnostics.map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.message = mask(diagnostic.message)
            diagnostic.help = diagnostic.help.map { mask($0) }
            diagnostic.suggestion = diagnostic.suggestion.map { mask($0) }
            diagnostic.note = diagnostic.note.map { .init(at: $0.span, mask($0.message)) }
            return diagnostic
        }
    }

    private func secretEnd(_ bytes: [UInt8], at start: Int) -> Int? {
        for secret in secrets {
            var index = start
            var matched = 0
            while matched < secret.count {
                // A graph escapes twice: as many backslashes or more.
                let slashes = Self.backslashes(secret, at: matched)
                let written = Self.backslashes(bytes, at: index)
                if slashes > 0, written >= slashes {
                    index += written
                    matched += slashes
                    continue
                }
                guard let next = Self.end(of: secret[matched], in: bytes, at: index) else { break }
                index = next
                matched += 1
            }
            if matched == secret.count { return index }
            // What a message cut off still shows the beginning.
            if matched >= Self.shortest, bytes[index...].starts(with: "...".utf8) { return index }
        }
        return nil
    }

    /// The end of one byte of a secret, however it is written at `index`; nil where it is another.
    private static func end(of byte: UInt8, in bytes: [UInt8], at index: Int) -> Int? {
        guard index < bytes.count else { return nil }
        switch bytes[index] {
        case "%":
            if let value = hex(bytes, index + 1..<index + 3), value == byte { return index + 3 }
        case "\\" where index + 1 < bytes.count:
            let place = index + backslashes(bytes, at: index)
            guard place < bytes.count else { return nil }
            let letter = bytes[place]
            let escapes: [UInt8: UInt8] = [0x6E: 0x0A, 0x74: 0x09, 0x72: 0x0D]  // n, t, r
            if letter == byte || escapes[letter] == byte { return place + 1 }
            if letter == "u", let value = hex(bytes, place + 1..<place + 5), value == byte, byte < 0x80 {
                return place + 5
            }
            return octal(bytes, at: place) == byte ? place + 3 : nil
        default: break
        }
        if bytes[index] == byte { return index + 1 }
        // The backslashes before it were taken for the secret's own.
        return index > 0 && bytes[index - 1] == "\\" && octal(bytes, at: index) == byte ? index + 3 : nil
    }

    private static func backslashes(_ bytes: [UInt8], at index: Int) -> Int {
        bytes[index...].prefix { $0 == "\\" }.count
    }

    /// "303", as GStreamer writes what is no ASCII.
    private static func octal(_ bytes: [UInt8], at index: Int) -> UInt8? {
        guard index + 3 <= bytes.count, bytes[index..<index + 3].allSatisfy({ (0x30...0x37).contains($0) }) else {
            return nil
        }
        return UInt8(String(decoding: bytes[index..<index + 3], as: UTF8.self), radix: 8)
    }

    private static func hex(_ bytes: [UInt8], _ range: Range<Int>) -> UInt8? {
        guard range.upperBound <= bytes.count else { return nil }
        return UInt8(String(decoding: bytes[range], as: UTF8.self), radix: 16)
    }
}
