/// Columns of text for a terminal.
public enum TextTable {
    /// One field.
    public struct Cell: Sendable, Equatable {
        public var text: String
        public var style: TextStyle
        /// Numbers stand at the right of their column.
        public var isNumber: Bool

        public init(_ text: String, _ style: TextStyle = .plain, isNumber: Bool = false) {
            self.text = TextWidth.printable(text)
            self.style = style
            self.isNumber = isNumber
        }
    }

    /// A line for each row, every column but the last as wide as its widest cell.
    public static func lines(_ rows: [[String]]) -> [String] {
        lines(rows.map { $0.map { Cell($0) } }, columns: nil, hasColours: false)
    }

    /// - Parameters:
    ///   - columns: how wide the terminal is; nil: nothing is cut.
    ///   - hasColours: whether cells are shown in the colours of their styles.
    public static func lines(_ rows: [[Cell]], columns: Int?, hasColours: Bool) -> [String] {
        let count = rows.map(\.count).max() ?? 0
        var widths = (0..<count).map { column in
            rows.map { column < $0.count ? TextWidth.columns(of: $0[column].text) : 0 }.max() ?? 0
        }
        if let columns { shrink(&widths, to: columns - gap * max(count - 1, 0)) }
        return rows.map { row in
            var line = ""
            var blanks = 0
            for (column, cell) in row.enumerated() {
                let text = TextWidth.fitted(cell.text, to: widths[column])
                let space = widths[column] - TextWidth.columns(of: text)
                if cell.isNumber { blanks += space }
                if !text.isEmpty {
                    line += String(repeating: " ", count: blanks) + (hasColours ? cell.style.painted(text) : text)
                    blanks = 0
                } else if cell.isNumber {
                    blanks -= space
                }
                if !cell.isNumber || text.isEmpty { blanks += space }
                blanks += gap
            }
            return line
        }
    }

    private static let gap = 2

    /// The last column gives way first, as it holds what is said at length; then whichever is widest.
    private static func shrink(_ widths: inout [Int], to limit: Int) {
        let least = 16
        guard let last = widths.indices.last else { return }
        var excess = widths.reduce(0, +) - limit
        let given = min(max(excess, 0), max(widths[last] - least, 0))
        widths[last] -= given
        excess -= given
        while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > 1 {
            widths[widest] -= 1
            excess -= 1
        }
    }
}
