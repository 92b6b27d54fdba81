/// Follows a launch text byte by byte and knows whether its end stands in a value, and whether in one with double quotes.
///
/// As in `LaunchLexer`, a quote counts only at the start of a value, and a backslash takes a closing one its meaning.
struct LaunchQuotes {
    private(set) var isOpen = false
    /// Behind a `=`, before the next white space.
    private(set) var isInValue = false
    private var previous: UInt8 = 0
    /// The last byte that is no white space.
    private var lastVisible: UInt8 = 0

    mutating func take(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if byte == "\"", isOpen ? previous != "\\" : lastVisible == "=" { isOpen.toggle() }
            if byte == "=" {
                isInValue = true
            } else if byte.isASCIISpace, !isOpen, previous != "\\", lastVisible != "=" {
                isInValue = false
            }
            previous = byte
            if !byte.isASCIISpace { lastVisible = byte }
        }
    }

    /// What stands for `value` inside the quotes, so that the element gets it byte for byte.
    static func escaped(_ value: [UInt8]) -> [UInt8] {
        value.flatMap { $0 == "\\" || $0 == "\"" ? [UInt8(ascii: "\\"), $0] : [$0] }
    }

    /// What stands for `value` outside quotes, so that it stays one value.
    static func escapedWord(_ value: [UInt8]) -> [UInt8] {
        value.flatMap { $0.isASCIIAlphanumeric || $0 >= 0x80 ? [$0] : [UInt8(ascii: "\\"), $0] }
    }
}
