/// The text of one file and where its lines begin; every span of the configuration points into one.
///
/// - Thread: any, it never changes.
public final class SourceFile: Sendable {
    /// As the user wrote it, so that messages can be clicked and grepped.
    public let path: String
    public let bytes: [UInt8]
    /// Offset of the first byte of each line.
    private let lineStarts: [Int]

    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        var starts = [0]
        for (offset, byte) in bytes.enumerated() where byte == "\n" { starts.append(offset + 1) }
        lineStarts = starts
    }

    public convenience init(path: String, text: String) {
        self.init(path: path, bytes: Array(text.utf8))
    }

    /// The line and column of a byte offset; an offset outside the file counts as its nearest end.
    public func position(at offset: Int) -> SourcePosition {
        let offset = min(max(offset, 0), bytes.count)
        let line = lineIndex(at: offset)
        var column = 1
        for byte in bytes[contentStart(ofLine: line)..<max(offset, contentStart(ofLine: line))]
        where !byte.isUTF8Continuation {
            column += 1
        }
        return SourcePosition(line: line + 1, column: column)
    }

    /// The bytes of the line that holds `offset`, without its line break.
    func lineRange(at offset: Int) -> Range<Int> {
        let line = lineIndex(at: min(max(offset, 0), bytes.count))
        let start = contentStart(ofLine: line)
        var end = line + 1 < lineStarts.count ? lineStarts[line + 1] - 1 : bytes.count
        if end > start, bytes[end - 1] == "\r" { end -= 1 }
        return start..<max(start, end)
    }

    /// A byte order mark is no part of the first line.
    private func contentStart(ofLine line: Int) -> Int {
        line == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : lineStarts[line]
    }

    private func lineIndex(at offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }
}
