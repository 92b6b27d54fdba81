/// Finds for each byte of a decoded YAML scalar where it was written.
///
/// libyaml gives the text and the ends of the scalar, nothing between. The walk is greedy: white space in the file is
/// passed over until the next byte of the text turns up. Were it ever to lose its way, positions get coarse, no more.
struct ScalarAligner {
    enum Style { case plain, singleQuoted, doubleQuoted, block }

    private let source: [UInt8]
    private var cursor: Int
    private let end: Int
    private let style: Style
    private var text: SourceText

    static func align(_ value: [UInt8], in file: SourceFile, range: Range<Int>, style: Style) -> SourceText {
        var aligner = ScalarAligner(file: file, range: range, style: style)
        aligner.run(value)
        return aligner.text
    }

    private init(file: SourceFile, range: Range<Int>, style: Style) {
        source = file.bytes
        let range = range.clamped(to: 0..<file.bytes.count)
        cursor = range.lowerBound
        end = range.upperBound
        self.style = style
        text = SourceText(file: file, whole: range)
    }

    private mutating func run(_ value: [UInt8]) {
        switch style {
        case .plain: break
        case .singleQuoted, .doubleQuoted: cursor = min(cursor + 1, end)
        case .block:  // `>`, `|`, their indicators and a comment end with the line
            while cursor < end, source[cursor] != "\n", source[cursor] != "\r" { cursor += 1 }
            if cursor < end, source[cursor] == "\r" { cursor += 1 }
            if cursor < end, source[cursor] == "\n" { cursor += 1 }
        }
        var index = 0
        while index < value.count {
            index += take(value, at: index)
        }
    }

    /// Places one byte, or all bytes of one escape, and says how many.
    private mutating func take(_ value: [UInt8], at index: Int) -> Int {
        let byte = value[index]
        skipLineContinuations()
        if !byte.isASCIISpace {
            while cursor < end, source[cursor].isASCIISpace {
                cursor += 1
                skipLineContinuations()
            }
        }
        guard cursor < end else {
            text.append(byte, from: end..<end)
            return 1
        }
        if style == .doubleQuoted, source[cursor] == "\\" { return takeEscape(value, at: index) }
        if style == .singleQuoted, byte == "'", source[cursor] == "'" {
            text.append(byte, from: cursor..<min(cursor + 2, end))
            cursor = min(cursor + 2, end)
            return 1
        }
        if source[cursor] == byte || (byte.isASCIISpace && source[cursor].isASCIISpace) {
            text.append(byte, from: cursor..<cursor + 1)
            cursor += 1
            return 1
        }
        // Lost: a break that YAML folds in its own way. Catch up with the next occurrence, if there is one.
        if !byte.isASCIISpace, let found = source[cursor..<end].firstIndex(of: byte) {
            text.append(byte, from: found..<found + 1)
            cursor = found + 1
        } else {
            text.append(byte, from: cursor..<cursor)
        }
        return 1
    }

    private mutating func takeEscape(_ value: [UInt8], at index: Int) -> Int {
        let letter = cursor + 1 < end ? source[cursor + 1] : 0
        let length =
            switch letter {
            case "x": 4
            case "u": 6
            case "U": 10
            default: 2
            }
        let origin = cursor..<min(cursor + length, end)
        cursor = origin.upperBound
        var count = 1
        while index + count < value.count, value[index + count].isUTF8Continuation { count += 1 }
        for offset in 0..<count { text.append(value[index + offset], from: origin) }
        return count
    }

    /// In double quotes a backslash before the line break joins the lines.
    private mutating func skipLineContinuations() {
        guard style == .doubleQuoted else { return }
        while cursor + 1 < end, source[cursor] == "\\", source[cursor + 1] == "\n" || source[cursor + 1] == "\r" {
            cursor += 1
            while cursor < end, source[cursor].isASCIISpace { cursor += 1 }
        }
    }
}
