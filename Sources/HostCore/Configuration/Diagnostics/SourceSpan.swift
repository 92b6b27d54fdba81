/// A stretch of a file.
public struct SourceSpan: Sendable, Equatable {
    public let file: SourceFile
    /// Byte offsets in the file.
    public let range: Range<Int>

    public init(file: SourceFile, range: Range<Int>) {
        self.file = file
        self.range = range.clamped(to: 0..<file.bytes.count)
    }

    public var start: SourcePosition { file.position(at: range.lowerBound) }

    /// `path:line:column`, as compilers write it.
    public var description: String {
        let start = start
        return "\(file.path):\(start.line):\(start.column)"
    }

    /// Whether both mark the same place; an empty span counts as one byte.
    func overlaps(_ other: SourceSpan) -> Bool {
        guard file === other.file else { return false }
        let end = max(range.upperBound, range.lowerBound + 1)
        let otherEnd = max(other.range.upperBound, other.range.lowerBound + 1)
        return range.lowerBound < otherEnd && other.range.lowerBound < end
    }

    /// A piece of what stands here as `text`; all of it where it is written in another way, with quotes or escapes.
    func part(_ range: Range<Int>, of text: String) -> SourceSpan {
        guard file.bytes[self.range].elementsEqual(text.utf8) else { return self }
        return SourceSpan(
            file: file, range: self.range.lowerBound + range.lowerBound..<self.range.lowerBound + range.upperBound)
    }

    func contains(_ other: SourceSpan) -> Bool {
        file === other.file && range.lowerBound <= other.range.lowerBound && other.range.upperBound <= range.upperBound
    }

    public static func == (left: SourceSpan, right: SourceSpan) -> Bool {
        left.range == right.range && left.file.path == right.file.path
    }
}
