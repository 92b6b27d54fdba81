internal import CGLib
internal import Glibc

/// Where the requests of one connection begin and end, read from its bytes before libsoup gets them.
///
/// libsoup 3.2 answers 501 and 505 to what it cannot read, takes a chunk size that is no number for the last one, and the end
/// of the connection for the end of a body in chunks. What is seen here is refused before.
///
/// ```
/// head --blank line--> head           (no body)
///   |---------------> body(left) --> head
///   `---------------> size --> chunk(left) --> chunkEnd --> size ... --0--> last --> head
/// ```
/// Lines end, and heads begin and end, exactly where libsoup has it.
/// - Thread: any. A value.
struct RequestFraming: Sendable {
    private enum State: Sendable, Equatable {
        case head
        /// Bytes left of a body of a known length.
        case body(Int)
        case size
        /// Bytes left of a chunk.
        case chunk(Int)
        case chunkEnd
        /// Behind the last chunk.
        case last
        /// The length of the body is none that anybody understands: `RequestHead` refuses the request.
        case unknown
    }

    private enum Field {
        case length, encoding
    }

    /// Of a line no more is looked at; a longer one of those that count is refused.
    private static let longestLine = 256
    /// The first one has its version at its end; libsoup refuses a longer one.
    private static let longestRequestLine = 64 << 10
    private static let longestChunkDigits = 8

    private var state = State.head
    /// What has come of a line whose end has not. Its end is cut off behind `longestLine`.
    private var line: [UInt8] = []
    private var lineBytes = 0
    /// Of the head under way.
    private var headBytes = 0
    private var hasRequestLine = false
    private var isChunked = false
    private var length = 0
    private var hasLength = false
    private var isLengthUnknown = false
    /// The field that the line before was, which must not go on in the next one.
    private var field: Field?

    /// Takes the next bytes.
    /// - Returns: how many of them are of requests that are in order, and why the connection ends behind those; nil: it goes on.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> (good: Int, refusal: ControlError?) {
        var rest = bytes[...]
        // Where the request under way began; requests before it are answered.
        var begin = 0
        while !rest.isEmpty {
            if state == .head, headBytes == 0, lineBytes == 0 { begin = bytes.count - rest.count }
            switch state {
            case .unknown: return (bytes.count, nil)
            case .body(let left):
                let count = min(left, rest.count)
                rest = rest.dropFirst(count)
                if count == left { endRequest() } else { state = .body(left - count) }
            case .chunk(let left):
                let count = min(left, rest.count)
                rest = rest.dropFirst(count)
                state = count == left ? .chunkEnd : .chunk(left - count)
            case .head, .size, .chunkEnd, .last:
                guard let end = Self.lineEnd(in: rest) else {
                    keep(rest)
                    return (bytes.count, nil)
                }
                let piece = rest[rest.startIndex..<end]
                rest = rest[(end + 1)...]
                let refusal: ControlError?
                if lineBytes == 0 {
                    refusal = takeLine(piece, count: piece.count)
                } else {
                    keep(piece)
                    let whole = line
                    let count = lineBytes
                    line.removeAll(keepingCapacity: line.count <= Self.longestLine)
                    lineBytes = 0
                    refusal = whole.withUnsafeBytes { takeLine($0[...], count: count) }
                }
                if let refusal { return (begin, refusal) }
            }
        }
        return (bytes.count, nil)
    }

    /// The client sends nothing more. - Returns: why what it sent is no whole request; nil: it is.
    func end() -> ControlError? {
        switch state {
        case .size, .chunk, .chunkEnd, .last:
            ControlError(.invalid, "the body broke off: its last chunk has not come")
        case .head where isInHead:
            ControlError(.invalid, "the head broke off: the blank line at its end has not come")
        // Of a body with a length libsoup knows itself that it is not whole.
        case .head, .body, .unknown: nil
        }
    }

    /// Whether a part of a head has come, and its end has not.
    var isInHead: Bool { state == .head && (headBytes > 0 || lineBytes > 0) }

    /// The bytes of a request line whose end has not come; none where it is longer than any that libsoup takes.
    var partialRequestLine: Int {
        state == .head && !hasRequestLine && lineBytes <= Self.longestRequestLine ? lineBytes : 0
    }

    // MARK: - Lines

    private static func lineEnd(in bytes: Slice<UnsafeRawBufferPointer>) -> Int? { firstIndex(of: 0x0A, bytes) }

    private static func firstIndex(of byte: UInt8, _ bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
        let whole = UnsafeRawBufferPointer(rebasing: bytes)
        guard let start = whole.baseAddress, let found = memchr(start, Int32(byte), whole.count) else { return nil }
        return bytes.startIndex + (UnsafeRawPointer(found) - start)
    }

    private mutating func keep(_ bytes: Slice<UnsafeRawBufferPointer>) {
        let most = state == .head && !hasRequestLine ? Self.longestRequestLine : Self.longestLine
        line += bytes.prefix(max(0, most - line.count))
        lineBytes += bytes.count
    }

    /// - Parameters:
    ///   - text: without its line feed, perhaps cut off.
    ///   - count: how long it was.
    private mutating func takeLine(_ text: Slice<UnsafeRawBufferPointer>, count: Int) -> ControlError? {
        switch state {
        case .head: return takeHeadLine(text, count: count)
        case .size: return takeSize(text)
        case .chunkEnd, .last:
            guard text.isEmpty || (count == 1 && text.first == 0x0D) else {
                return ControlError(
                    .invalid,
                    state == .last
                        ? "behind the last chunk of the body comes a blank line: fields are not taken there"
                        : "a chunk of the body is longer than its size says")
            }
            if state == .last { endRequest() } else { state = .size }
            return nil
        case .body, .chunk, .unknown: return nil
        }
    }

    private mutating func takeSize(_ text: Slice<UnsafeRawBufferPointer>) -> ControlError? {
        let digits = text.prefix { $0.hexadecimal != nil }
        let next = text.dropFirst(digits.count).first
        // What follows is an extension, which nobody reads.
        guard !digits.isEmpty, digits.count <= Self.longestChunkDigits,
            next == nil || [0x0D, 0x3B, 0x20, 0x09].contains(next ?? 0)
        else { return ControlError(.invalid, "the size of a chunk of the body is no hexadecimal number") }
        let size = digits.reduce(0) { $0 << 4 | ($1.hexadecimal ?? 0) }
        state = size == 0 ? .last : .chunk(size)
        return nil
    }

    // MARK: - The head

    private mutating func takeHeadLine(_ text: Slice<UnsafeRawBufferPointer>, count: Int) -> ControlError? {
        let before = headBytes
        headBytes += count + 1
        let isBlank = count == 0 || (count == 1 && text.first == 0x0D)
        if isBlank {
            field = nil
            // Before a request libsoup passes over one blank line.
            if before >= count + 2 { endHead() }
            return nil
        }
        guard Self.firstIndex(of: 0, text) == nil else { return ControlError(.invalid, "the head has a NUL in it") }
        guard hasRequestLine else {
            // libsoup passes over these.
            guard !text.allSatisfy({ $0 == 0x0D }) else { return nil }
            hasRequestLine = true
            // A longer one libsoup refuses before it has read it.
            return count > Self.longestRequestLine ? nil : Self.versionRefusal(text)
        }
        if text.first == 0x20 || text.first == 0x09 {
            guard field == nil else {
                return ControlError(.invalid, "the field that says how long the body is goes over more than one line")
            }
            return nil
        }
        field = Self.field(text)
        guard let field else { return nil }
        guard count <= Self.longestLine else {
            return ControlError(
                .invalid, "the field that says how long the body is has more than \(Self.longestLine) bytes")
        }
        let value = Self.value(text)
        guard field == .encoding ? !hasLength : !isChunked else {
            return ControlError(.invalid, "the head has a `Content-Length` and a `Transfer-Encoding`: send one of them")
        }
        hasLength = field == .length || hasLength
        switch field {
        case .encoding:
            guard value.lowercased() == "chunked" else {
                return ControlError(
                    .invalid, "`Transfer-Encoding` is `chunked`, where there is one, and not \(quoted(value))")
            }
            isChunked = true
        case .length:
            guard !value.isEmpty, value.utf8.count < 20, value.utf8.allSatisfy(\.isASCIIDigit), let number = Int(value)
            else {
                isLengthUnknown = true
                return nil
            }
            length = number
        }
        return nil
    }

    private mutating func endHead() {
        headBytes = 0
        if isLengthUnknown {
            state = .unknown
        } else if isChunked {
            state = .size
        } else if length > 0 {
            state = .body(length)
        } else {
            endRequest()
        }
    }

    private mutating func endRequest() {
        state = .head
        (hasRequestLine, isChunked, hasLength, isLengthUnknown, length, field) = (false, false, false, false, 0, nil)
    }

    /// Of `GET / HTTP/1.1`. libsoup looks for what is missing in the lines that follow, and may find another version there.
    private static func versionRefusal(_ text: Slice<UnsafeRawBufferPointer>) -> ControlError? {
        if isPlain(text) { return nil }
        let malformed = ControlError(.invalid, "this is no well-formed HTTP request")
        let words = text.split(maxSplits: 2) { $0 == 0x20 || $0 == 0x09 }
        // White space before the method is an empty one to libsoup.
        let first = text.first { $0 != 0x0D }
        guard words.count == 3, first != 0x20, first != 0x09 else { return malformed }
        let version = String(decoding: words[2], as: UTF8.self)
        guard version.hasPrefix("HTTP/") else { return malformed }
        let numbers = version.utf8.dropFirst(5).prefix { $0.isASCIIDigit || $0 == 0x2E }
        let parts = numbers.split(separator: 0x2E, maxSplits: 1, omittingEmptySubsequences: false)
        let minor = parts.last.map { $0.prefix(while: \.isASCIIDigit) } ?? numbers.prefix(0)
        guard parts.count == 2, !parts[0].isEmpty, !minor.isEmpty else { return malformed }
        if Int(Substring(parts[0])) == 1, let minor = Int(Substring(minor)), minor < 2 { return nil }
        let shown = String(decoding: version.utf8.prefix { $0 > 0x20 && $0 < 0x7F }.prefix(32), as: UTF8.self)
        return ControlError(.invalid, "this speaks HTTP/1.1 and HTTP/1.0, not \(shown)")
    }

    /// Whether it is as nearly all are: `GET /path HTTP/1.1`.
    private static func isPlain(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        let end: StaticString = " HTTP/1.1\r"
        let rest = text.count - end.utf8CodeUnitCount
        guard rest > 0, let start = UnsafeRawBufferPointer(rebasing: text).baseAddress,
            memcmp(start + rest, end.utf8Start, end.utf8CodeUnitCount) == 0
        else { return false }
        let front = text.prefix(rest)
        guard let space = firstIndex(of: 0x20, front), space > front.startIndex, space + 1 < front.endIndex,
            firstIndex(of: 0x20, front[(space + 1)...]) == nil
        else { return false }
        return firstIndex(of: 0x09, front) == nil && firstIndex(of: 0x0D, front) == nil
    }

    /// Names with white space in them libsoup passes over.
    private static func field(_ text: Slice<UnsafeRawBufferPointer>) -> Field? {
        func begins(with name: StaticString) -> Bool {
            guard text.count > name.utf8CodeUnitCount, text[text.startIndex + name.utf8CodeUnitCount] == 0x3A else {
                return false
            }
            let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
            return zip(text, name).allSatisfy { $0 == $1 || ($1.isASCIILetter && $0 | 0x20 == $1) }
        }
        if begins(with: "content-length") { return .length }
        if begins(with: "transfer-encoding") { return .encoding }
        return nil
    }

    private static func value(_ text: Slice<UnsafeRawBufferPointer>) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var value = text.drop { $0 != 0x3A }.dropFirst().drop(while: isSpace)
        while let last = value.last, isSpace(last) { value = value.dropLast() }
        return String(decoding: value, as: UTF8.self)
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit.
    fileprivate var hexadecimal: Int? {
        switch self {
        case 0x30...0x39: Int(self) - 0x30
        case 0x41...0x46: Int(self) - 0x41 + 10
        case 0x61...0x66: Int(self) - 0x61 + 10
        default: nil
        }
    }
}
