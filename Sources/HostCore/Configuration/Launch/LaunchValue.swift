/// The value in `key=value`: its quotes and backslashes, and the slips people make with them.
enum LaunchValue {
    /// What GStreamer sets: outer double quotes go, then `unescape`.
    static func decode(_ raw: ArraySlice<UInt8>) -> String {
        String(decoding: characters(of: raw[contents(of: raw)]).map(\.byte), as: UTF8.self)
    }

    /// The same, with the place in `text` of each byte.
    static func decode(_ text: [UInt8], _ range: Range<Int>) -> (bytes: [UInt8], offsets: [Int]) {
        let raw = text[range]
        let result = characters(of: raw[contents(of: raw)])
        return (result.map(\.byte), result.map(\.offset))
    }

    /// Outside quotes a backslash stands for the character behind it; quotes stay.
    static func unescape(_ raw: ArraySlice<UInt8>) -> String {
        String(decoding: characters(of: raw).map(\.byte), as: UTF8.self)
    }

    private static func contents(of raw: ArraySlice<UInt8>) -> Range<Int> {
        raw.count > 1 && raw.first == UInt8(ascii: "\"") && raw.last == UInt8(ascii: "\"")
            ? raw.startIndex + 1..<raw.endIndex - 1 : raw.startIndex..<raw.endIndex
    }

    private static func characters(of raw: ArraySlice<UInt8>) -> [(byte: UInt8, offset: Int)] {
        var result: [(byte: UInt8, offset: Int)] = []
        var inQuotes = false
        var index = raw.startIndex
        while index < raw.endIndex {
            if raw[index] == "\\", !inQuotes {
                index += 1
                guard index < raw.endIndex else { break }
            } else if raw[index] == "\"", !inQuotes || raw[index - 1] != "\\" {
                inQuotes.toggle()
            }
            result.append((raw[index], index))
            index += 1
        }
        return result
    }

    /// `text` as a value that decodes to it.
    static func quote(_ text: some Sequence<UInt8>) -> [UInt8] {
        var result = [UInt8(ascii: "\"")]
        for byte in text {
            if byte == "\"" || byte == "\\" { result.append(UInt8(ascii: "\\")) }
            result.append(byte)
        }
        return result + [UInt8(ascii: "\"")]
    }

    /// - Parameter sign: the `=`.
    static func check(_ property: LaunchProperty, raw: ArraySlice<UInt8>, sign: SourceSpan) -> [Diagnostic] {
        let key = quoted(property.key)
        let written = String(decoding: raw, as: UTF8.self)
        if written == "!" {
            return [
                Diagnostic(
                    .error, at: sign, "\(key) has no value before the link",
                    help: "an empty or odd value goes in double quotes: \(property.key)=\"\"")
            ]
        }
        if raw.first == UInt8(ascii: "\""), raw.count == 1 || !hasClosingQuote(raw) {
            return [
                Diagnostic(
                    .error, at: property.valueSpan, "the quote is never closed",
                    help: "end the value of \(key) with \"; a quote inside is written \\\"")
            ]
        }
        if raw.first == UInt8(ascii: "'") {
            return [
                Diagnostic(
                    .warning, at: property.valueSpan, "single quotes become part of the value",
                    help: "launch texts quote with double quotes")
            ]
        }
        if raw.last == UInt8(ascii: "!"), raw.count > 1 {
            return [
                Diagnostic(
                    .warning, at: property.valueSpan, "the \"!\" is part of the value \(quoted(property.value))",
                    help: "a link needs a space before it; if it is meant so, put the value in double quotes")
            ]
        }
        return []
    }

    private static func hasClosingQuote(_ raw: ArraySlice<UInt8>) -> Bool {
        raw.indices.dropFirst().contains {
            raw[$0] == "\"" && (raw[$0 - 1] != "\\" || $0 == raw.endIndex - 1)
        }
    }
}
