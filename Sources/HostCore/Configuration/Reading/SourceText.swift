/// The decoded text of a scalar that still knows where each of its bytes stands in the file.
///
/// Folding, quoting, escapes and variables move text about; a message about the text must nevertheless point at what the
/// user typed. Two texts are equal when they read the same, wherever they stand.
public struct SourceText: Sendable, Equatable {
    /// What one byte of the text was written as: file offsets, `start..<end`.
    struct Origin: Sendable {
        var start: UInt32
        var end: UInt32

        init(_ range: Range<Int>) {
            start = UInt32(clamping: range.lowerBound)
            end = UInt32(clamping: range.upperBound)
        }
    }

    public let file: SourceFile
    /// UTF-8.
    public private(set) var bytes: [UInt8] = []
    private(set) var origins: [Origin] = []
    /// All of the scalar in the file, quotes included.
    let whole: Range<Int>

    init(file: SourceFile, whole: Range<Int>) {
        self.file = file
        self.whole = whole
    }

    public var string: String { String(decoding: bytes, as: UTF8.self) }

    /// The scalar in the file.
    public var span: SourceSpan { SourceSpan(file: file, range: whole) }

    public func string(_ range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }

    /// Where the bytes `range` of the text stand in the file.
    public func span(_ range: Range<Int>) -> SourceSpan {
        let range = range.clamped(to: 0..<bytes.count)
        guard !range.isEmpty else {
            if range.lowerBound < origins.count {
                let start = Int(origins[range.lowerBound].start)
                return SourceSpan(file: file, range: start..<start)
            }
            let end = origins.last.map { Int($0.end) } ?? whole.lowerBound
            return SourceSpan(file: file, range: end..<end)
        }
        let start = Int(origins[range.lowerBound].start)
        return SourceSpan(file: file, range: start..<max(start, Int(origins[range.upperBound - 1].end)))
    }

    mutating func append(_ byte: UInt8, from origin: Range<Int>) {
        bytes.append(byte)
        origins.append(Origin(origin))
    }

    /// Copies a piece of `other` with its origins.
    mutating func append(_ other: SourceText, _ range: Range<Int>) {
        bytes += other.bytes[range]
        origins += other.origins[range]
    }

    /// Puts foreign text in the place of what stands at `origin`.
    mutating func append(_ text: [UInt8], standingAt origin: Range<Int>) {
        bytes += text
        origins += Array(repeating: Origin(origin), count: text.count)
    }

    public static func == (left: SourceText, right: SourceText) -> Bool { left.bytes == right.bytes }
}
