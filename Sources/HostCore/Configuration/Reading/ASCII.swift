/// The few byte classes the parsers of this room need. ASCII only, whatever the locale says.
extension UInt8 {
    var isASCIISpace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }
    var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }
    var isASCIILetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }
    var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }
    /// A byte inside a UTF-8 sequence, behind its first.
    var isUTF8Continuation: Bool { self & 0xC0 == 0x80 }

    init(ascii scalar: Unicode.Scalar) { self = UInt8(truncatingIfNeeded: scalar.value) }

    static func ~= (pattern: Unicode.Scalar, byte: UInt8) -> Bool { pattern.value == UInt32(byte) }
    static func == (byte: UInt8, scalar: Unicode.Scalar) -> Bool { scalar.value == UInt32(byte) }
    static func != (byte: UInt8, scalar: Unicode.Scalar) -> Bool { scalar.value != UInt32(byte) }
}

/// A text from outside in double quotes, safe for a terminal: control characters are escaped, a long text is cut.
func quoted(_ text: String) -> String {
    var result = "\""
    var count = 0
    for scalar in text.unicodeScalars {
        guard count < 80 else {
            result += "..."
            break
        }
        count += 1
        switch scalar {
        case "\n": result += "\\n"
        case "\t": result += "\\t"
        case "\r": result += "\\r"
        case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): result += "\u{FFFD}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}

/// A name of pipelines, plugins and variables: letters, digits, `_` and `-`.
func isPlainName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == "_" || $0 == "-" }
}
