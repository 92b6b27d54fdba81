/// Reads a JSON file into the same tree as `YAMLReader`, with the same limits.
///
/// Most JSON is YAML, but not all: YAML has no surrogate escapes, and a tab is no space to it.
struct JSONReader {
    private struct Stop: Error {}

    private let file: SourceFile
    private let bytes: [UInt8]
    private var cursor: Int
    private var nodeCount = 0
    private var problems = Problems()

    /// The tree, or nil where the text is no JSON or holds nothing.
    /// - Parameter file: valid UTF-8, and not too large.
    static func read(_ file: SourceFile, into problems: inout Problems) -> YAMLNode? {
        var reader = JSONReader(file)
        defer { problems.merge(reader.problems) }
        do throws(Stop) {
            reader.skipSpace()
            guard reader.cursor < reader.bytes.count else { return nil }
            let root = try reader.value(depth: 0)
            reader.skipSpace()
            guard reader.cursor == reader.bytes.count else {
                throw reader.stop("something follows the end of the text", help: "a configuration is one object")
            }
            return root
        } catch {
            return nil
        }
    }

    private init(_ file: SourceFile) {
        self.file = file
        bytes = file.bytes
        cursor = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    private var next: UInt8? { cursor < bytes.count ? bytes[cursor] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == " " || byte == "\n" || byte == "\r" || byte == "\t" { cursor += 1 }
    }

    private mutating func value(depth: Int) throws(Stop) -> YAMLNode {
        nodeCount += 1
        guard depth <= YAMLReader.deepest else {
            throw fail("nested too deeply", help: "lists and maps may be \(YAMLReader.deepest) levels deep")
        }
        guard nodeCount <= YAMLReader.mostNodes else {
            throw fail("too many values", help: "a configuration may have \(YAMLReader.mostNodes)")
        }
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""):
            let text = try string()
            return YAMLNode(.scalar(text, .quoted), span: text.span)
        default: return try word()
        }
    }

    private mutating func object(depth: Int) throws(Stop) -> YAMLNode {
        let start = cursor
        var entries: [YAMLEntry] = []
        var seen: [String: SourceSpan] = [:]
        cursor += 1
        skipSpace()
        while next != UInt8(ascii: "}") {
            guard next == UInt8(ascii: "\"") else {
                throw stop("a key in double quotes is missing", help: hint ?? "a key is written \"launch\"")
            }
            let key = try string()
            skipSpace()
            guard next == UInt8(ascii: ":") else {
                throw stop("a \":\" is missing behind the key", help: "\"launch\": \"videotestsrc ! fakesink\"")
            }
            cursor += 1
            skipSpace()
            let value = try value(depth: depth + 1)
            if let first = seen[key.string] {
                problems.error(
                    at: key.span, "the key \(quoted(key.string)) is given twice",
                    help: "the first is in line \(first.start.line)")
            } else {
                seen[key.string] = key.span
                entries.append(YAMLEntry(key: key.string, keySpan: key.span, value: value))
            }
            try separator(before: "}", of: start)
        }
        cursor += 1
        return YAMLNode(.map(entries), span: span(start..<cursor))
    }

    private mutating func array(depth: Int) throws(Stop) -> YAMLNode {
        let start = cursor
        var items: [YAMLNode] = []
        cursor += 1
        skipSpace()
        while next != UInt8(ascii: "]") {
            items.append(try value(depth: depth + 1))
            try separator(before: "]", of: start)
        }
        cursor += 1
        return YAMLNode(.list(items), span: span(start..<cursor))
    }

    /// A comma with something behind it, or the closing bracket, which stays.
    private mutating func separator(before closing: Unicode.Scalar, of start: Int) throws(Stop) {
        skipSpace()
        guard let byte = next else {
            cursor = start
            throw stop("this bracket is never closed", help: "end it with \(closing)")
        }
        if byte == UInt8(ascii: closing) { return }
        guard byte == "," else { throw stop("a comma is missing", help: hint) }
        let comma = cursor
        cursor += 1
        skipSpace()
        if next == UInt8(ascii: closing) {
            cursor = comma
            throw stop("a comma without a value behind it", help: "JSON has no comma before a closing bracket")
        }
    }

    /// `true`, `null`, a number: text that is typed by whoever asks for it.
    private mutating func word() throws(Stop) -> YAMLNode {
        let start = cursor
        while let byte = next, byte.isASCIIAlphanumeric || "+-.".utf8.contains(byte) { cursor += 1 }
        let text = String(decoding: bytes[start..<cursor], as: UTF8.self)
        let isKnown = ["true", "false", "null"].contains(text) || Self.isNumber(bytes[start..<cursor])
        guard isKnown else {
            let end = cursor
            cursor = start
            throw stop(
                text.isEmpty ? "a value is missing" : "\(quoted(text)) is no value",
                help: hint ?? (text.isEmpty ? nil : "a text goes in double quotes"), to: end)
        }
        var scalar = SourceText(file: file, whole: start..<cursor)
        for index in start..<cursor { scalar.append(bytes[index], from: index..<index + 1) }
        return YAMLNode(.scalar(scalar, .plain), span: span(start..<cursor))
    }

    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.contains(where: \.isASCIIDigit), text.last?.isASCIIDigit == true else { return false }
        guard let first = text.first, first.isASCIIDigit || first == "-" else { return false }
        return Double(String(decoding: text, as: UTF8.self)) != nil && !text.contains { $0 == "x" || $0 == "X" }
    }

    private mutating func string() throws(Stop) -> SourceText {
        let start = cursor
        let end = try closingQuote(start)
        var text = SourceText(file: file, whole: start..<end + 1)
        cursor += 1
        while cursor < end {
            let byte = bytes[cursor]
            if byte < 0x20 {
                throw stop("a control character in a text", help: byte == "\n" ? "a line break is written \\n" : nil)
            }
            if byte == "\\" {
                let from = cursor
                let scalar = try escape(before: end)
                for byte in String(scalar).utf8 { text.append(byte, from: from..<cursor) }
            } else {
                text.append(byte, from: cursor..<cursor + 1)
                cursor += 1
            }
        }
        cursor = end + 1
        return text
    }

    private mutating func closingQuote(_ start: Int) throws(Stop) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != "\"" { index += bytes[index] == "\\" ? 2 : 1 }
        guard index < bytes.count else { throw stop("this quote is never closed", help: "end the text with \"") }
        return index
    }

    /// The character of the escape at the cursor, which goes behind it.
    private mutating func escape(before end: Int) throws(Stop) -> Unicode.Scalar {
        let letter = cursor + 1 < end ? bytes[cursor + 1] : 0
        let simple: [UInt8: Unicode.Scalar] = [
            UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
            UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
        ]
        if let scalar = simple[letter] {
            cursor += 2
            return scalar
        }
        guard letter == "u", let first = codeUnit(cursor, before: end) else {
            throw stop(
                "an unknown escape in a text",
                help: "JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hex digits",
                to: cursor + 2)
        }
        var value = UInt32(first)
        var length = 6
        if (0xD800..<0xDC00).contains(value), let second = codeUnit(cursor + 6, before: end),
            (0xDC00..<0xE000).contains(second)
        {
            value = 0x10000 + (value - 0xD800) << 10 + (UInt32(second) - 0xDC00)
            length = 12
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw stop(
                "half of a surrogate pair", help: "characters past \\uFFFF are written as two escapes: \\ud83d\\ude00",
                to: cursor + 6)
        }
        guard value != 0 else { throw stop("a text cannot hold NUL", to: cursor + 6) }
        cursor += length
        return scalar
    }

    private func codeUnit(_ start: Int, before end: Int) -> UInt16? {
        guard start + 6 <= end, bytes[start] == "\\", bytes[start + 1] == "u" else { return nil }
        let digits = bytes[start + 2..<start + 6]
        guard !digits.contains(where: { $0 == "+" || $0 == "-" }) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// What people write who do not think of JSON.
    private var hint: String? {
        switch next {
        case UInt8(ascii: "/"), UInt8(ascii: "#"): "JSON has no comments; a file named .yaml may have them"
        case UInt8(ascii: "'"): "JSON has double quotes only"
        default: nil
        }
    }

    /// - Parameter end: of what is marked; nil: one byte.
    private mutating func stop(_ message: String, help: String? = nil, to end: Int? = nil) -> Stop {
        problems.error(
            at: span(cursor..<max(cursor + 1, end ?? 0)), "not valid JSON: \(message)", help: help)
        return Stop()
    }

    private mutating func fail(_ message: String, help: String) -> Stop {
        problems.error(at: span(cursor..<cursor + 1), message, help: help)
        return Stop()
    }

    private func span(_ range: Range<Int>) -> SourceSpan { SourceSpan(file: file, range: range) }
}
