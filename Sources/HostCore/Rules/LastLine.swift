/// The last line of a text that comes in pieces, without keeping the rest.
struct LastLine: Sendable {
    /// What a message has room for.
    static let longest = 300

    private var complete: [UInt8] = []
    private var current: [UInt8] = []

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                if !current.isEmpty { complete = current }
                current = []
            } else if current.count < Self.longest, byte != 0x20 || !current.isEmpty {
                current.append(byte)
            }
        }
    }

    /// Nil where there was none with something on it. Control characters are spaces.
    var text: String? {
        let bytes = current.isEmpty ? complete : current
        guard !bytes.isEmpty else { return nil }
        return String(decoding: bytes.map { $0 < 0x20 || $0 == 0x7f ? 0x20 : $0 }, as: UTF8.self)
    }
}
