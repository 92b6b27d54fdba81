/// Writes diagnostics the way compilers do: place, message, the line, a caret, help.
///
/// ```
/// porch.yaml:4:13: error: no element "x264ecn"
///       ! x264ecn tune=zerolatency
///         ^~~~~~~
/// help: did you mean "x264enc"?
/// ```
public struct DiagnosticRenderer: Sendable {
    /// ANSI colours, for terminals.
    public var colour: Bool
    /// Longer lines are shown in part, around the caret. Columns.
    public var widest: Int

    public init(colour: Bool = false, widest: Int = 160) {
        self.colour = colour
        self.widest = max(20, widest)
    }

    /// Each diagnostic, ending in a line break.
    public func render(_ diagnostics: [Diagnostic]) -> String {
        diagnostics.map(render).joined()
    }

    public func render(_ diagnostic: Diagnostic) -> String {
        var text = ""
        if let span = diagnostic.span { text += paint(span.description + ": ", "1") }
        text += paint(diagnostic.severity.rawValue + ": ", diagnostic.severity == .error ? "1;31" : "1;35")
        text += paint(diagnostic.message, "1") + "\n"
        if let span = diagnostic.span { text += excerpt(span) }
        if let suggestion = diagnostic.suggestion {
            text += paint("help: ", "36") + "did you mean \(quoted(suggestion))?\n"
        }
        if let help = diagnostic.help { text += paint("help: ", "36") + help + "\n" }
        if let note = diagnostic.note {
            text += paint(note.span.description + ": ", "1") + paint("note: ", "36") + note.message + "\n"
            text += excerpt(note.span)
        }
        return text
    }

    /// The line and the caret line, or nothing where the line is empty.
    private func excerpt(_ span: SourceSpan) -> String {
        let line = span.file.lineRange(at: span.range.lowerBound)
        guard !line.isEmpty else { return "" }
        let cells = cells(String(decoding: span.file.bytes[line], as: UTF8.self))
        let first = min(max(span.start.column - 1, 0), cells.count)
        let marked = span.range.clamped(to: line)
        let count = span.file.bytes[marked].count { !$0.isUTF8Continuation }
        let last = min(first + max(count, 1), max(cells.count, first + 1))

        let window = window(cells, around: first)
        let cut = window.lowerBound > 0
        var source = cut ? "..." : ""
        var caret = cut ? "   " : ""
        for index in window {
            source.unicodeScalars.append(cells[index].scalar)
            if index < first {
                caret += cells[index].scalar == "\t" ? "\t" : String(repeating: " ", count: cells[index].width)
            }
        }
        if window.upperBound < cells.count { source += "..." }
        var width = 0
        for index in first..<max(last, first + 1) where index < window.upperBound { width += cells[index].width }
        let underline = "^" + String(repeating: "~", count: max(0, width - 1))
        return source + "\n" + caret + paint(underline, "1;32") + "\n"
    }

    private struct Cell {
        var scalar: Unicode.Scalar
        /// Columns on a terminal.
        var width: Int
    }

    private func cells(_ line: String) -> [Cell] {
        line.unicodeScalars.map { scalar in
            switch scalar.value {
            case 0x09: Cell(scalar: scalar, width: 1)
            case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069:
                Cell(scalar: "\u{FFFD}", width: 1)  // would move the cursor or turn the text around
            default: Cell(scalar: scalar, width: TerminalWidth.of(scalar))
            }
        }
    }

    private func window(_ cells: [Cell], around index: Int) -> Range<Int> {
        guard cells.reduce(0, { $0 + $1.width }) > widest else { return 0..<cells.count }
        var start = index
        var width = 0
        while start > 0, width + cells[start - 1].width <= widest / 3 {
            start -= 1
            width += cells[start].width
        }
        var end = index
        while end < cells.count, width + cells[end].width <= widest {
            width += cells[end].width
            end += 1
        }
        return start..<end
    }

    private func paint(_ text: String, _ code: String) -> String {
        colour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
