/// The answers on one connection, taken apart as far as one who does not know what was asked can.
struct FuzzAnswers {
    private(set) var statuses: [Int] = []
    /// What no host of ours may say.
    private(set) var fault: String?

    /// What is documented: not now, and not in time.
    static let allowed: Set<Int> = [503, 504]

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty, fault == nil { next(&rest) }
    }

    private static let start = Array("HTTP/1.".utf8)
    private static let end = Array("\r\n\r\n".utf8)

    private mutating func next(_ rest: inout ArraySlice<UInt8>) {
        guard rest.starts(with: Self.start), let head = Self.find(Self.end, in: rest) else {
            fault = "this is no answer: \(String(decoding: rest.prefix(200), as: UTF8.self).debugDescription)"
            return
        }
        let lines = String(decoding: rest[..<head], as: UTF8.self).split(separator: "\r\n")
        guard let words = lines.first?.split(separator: " "), words.count > 1, let status = Int(words[1]) else {
            fault = "no status in \(lines.first ?? "")"
            return
        }
        let fields = lines.dropFirst().map { $0.lowercased() }
        rest = rest[(head + Self.end.count)...]
        guard status >= 200 else { return }
        statuses.append(status)
        let length = fields.first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).trimmingPrefix(" ")) }
        let body: ArraySlice<UInt8>
        if rest.isEmpty || rest.starts(with: Self.start) {
            // HEAD, or no body at all.
            body = []
        } else if let length, rest.count >= length,
            rest.count == length || rest.dropFirst(length).starts(with: Self.start)
        {
            body = rest.prefix(length)
        } else if length == nil {
            // It ends with the connection.
            body = rest
        } else {
            fault = "a body of \(length ?? 0) bytes does not end where it should (status \(status))"
            return
        }
        rest = rest.dropFirst(body.count)
        if status >= 500, !Self.allowed.contains(status) {
            fault = "status \(status): \(String(decoding: body, as: UTF8.self))"
        } else if status >= 400, !body.isEmpty, Self.find(Array(#""detail":""#.utf8), in: body) == nil {
            fault = "status \(status) without a reason: \(String(decoding: body.prefix(200), as: UTF8.self))"
        }
    }

    /// Whether a stream has begun. The words alone say nothing: the description of the API has them, too.
    static func isStream(_ bytes: ArraySlice<UInt8>) -> Bool {
        find(Array("\r\nContent-Type: text/event-stream\r\n".utf8), in: bytes) != nil
    }

    static func find(_ text: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= text.count else { return nil }
        var place = bytes.startIndex
        while place + text.count <= bytes.endIndex {
            if bytes[place] == text[0], bytes[place..<place + text.count].elementsEqual(text) { return place }
            place += 1
        }
        return nil
    }
}
