/// Cuts a launch text into words the way GStreamer 1.22 does: at each place the longest word that fits.
///
/// The odd corners are GStreamer's and kept, since it builds what we check: a value runs to the next white space and takes
/// a `!` with it, a quote counts only at the start of a value, caps run to the next `!`.
struct LaunchLexer {
    private let bytes: [UInt8]
    private var cursor = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next word, or nil at the end.
    mutating func next() -> LaunchToken? {
        cursor = afterSpace(cursor)
        guard cursor < bytes.count else { return nil }
        var best = fallback(cursor)
        // In GStreamer's order: of equally long words the first wins.
        for candidate in [
            assignment(cursor), preset(cursor), padReference(cursor), reference(cursor), binOpener(cursor),
            identifier(cursor), link(cursor), uri(cursor),
        ].reversed() {
            if let candidate, candidate.range.count >= best.range.count { best = candidate }
        }
        cursor = best.range.upperBound
        return best
    }

    /// Moves on to `offset`, over text that makes no sense.
    mutating func skip(to offset: Int) { cursor = max(cursor, min(offset, bytes.count)) }

    /// The end of the value that begins at `start`: a run without spaces, or a quoted text, whichever is longer.
    func valueEnd(_ start: Int) -> Int? {
        guard start < bytes.count, !bytes[start].isASCIISpace else { return nil }
        // Of two backslashes the second may still escape the space behind it: the longest reading wins.
        var run = start + 1
        while run < bytes.count,
            !bytes[run].isASCIISpace || (bytes[run - 1] == "\\" && bytes[run] != "\n")
        {
            run += 1
        }
        guard bytes[start] == "\"" || bytes[start] == "'" else { return run }
        return max(run, quotedEnd(start) ?? run)
    }

    /// The first quote without a backslash before it closes; failing that, the last one with.
    private func quotedEnd(_ start: Int) -> Int? {
        var escaped: Int?
        var index = start + 1
        while index < bytes.count {
            if bytes[index] == bytes[start] {
                if bytes[index - 1] != "\\" || index == start + 1 { return index + 1 }
                escaped = index + 1
            }
            index += 1
        }
        return escaped
    }

    private func fallback(_ start: Int) -> LaunchToken {
        let byte = bytes[start]
        if "(){}.,;=".utf8.contains(byte) { return LaunchToken(kind: .mark(byte), range: start..<start + 1) }
        var end = start + 1
        while end < bytes.count, bytes[end].isUTF8Continuation { end += 1 }
        return LaunchToken(kind: .stray(byte), range: start..<end)
    }

    private func identifierEnd(_ start: Int) -> Int? {
        guard start < bytes.count, bytes[start].isASCIIAlphanumeric || bytes[start] == "_" else { return nil }
        var end = start + 1
        while end < bytes.count,
            bytes[end].isASCIIAlphanumeric || bytes[end] == "_" || bytes[end] == "-" || bytes[end] == "%"
                || bytes[end] == ":"
        {
            end += 1
        }
        return end
    }

    private func identifier(_ start: Int) -> LaunchToken? {
        identifierEnd(start).map { LaunchToken(kind: .identifier, range: start..<$0) }
    }

    private func assignedValue(_ keyEnd: Int) -> Range<Int>? {
        let sign = afterSpace(keyEnd)
        guard sign < bytes.count, bytes[sign] == "=" else { return nil }
        let value = afterSpace(sign + 1)
        return valueEnd(value).map { value..<$0 }
    }

    private func assignment(_ start: Int) -> LaunchToken? {
        guard let keyEnd = identifierEnd(start), let value = assignedValue(keyEnd) else { return nil }
        return LaunchToken(kind: .assignment(key: start..<keyEnd, value: value), range: start..<value.upperBound)
    }

    private func preset(_ start: Int) -> LaunchToken? {
        let word = "@preset"
        guard bytes[start...].starts(with: word.utf8), let value = assignedValue(start + word.utf8.count) else {
            return nil
        }
        return LaunchToken(kind: .preset(value: value), range: start..<value.upperBound)
    }

    private func padReference(_ start: Int) -> LaunchToken? {
        guard bytes[start] == ".", let end = identifierEnd(start + 1) else { return nil }
        return LaunchToken(kind: .padReference, range: start..<end)
    }

    private func reference(_ start: Int) -> LaunchToken? {
        guard let dot = identifierEnd(start), dot < bytes.count, bytes[dot] == "." else { return nil }
        guard let end = identifierEnd(dot + 1) else {
            return LaunchToken(kind: .reference(element: start..<dot, pad: nil), range: start..<dot + 1)
        }
        return LaunchToken(kind: .reference(element: start..<dot, pad: dot + 1..<end), range: start..<end)
    }

    private func binOpener(_ start: Int) -> LaunchToken? {
        guard let end = identifierEnd(start) else { return nil }
        let dot = afterSpace(end)
        guard dot < bytes.count, bytes[dot] == "." else { return nil }
        let bracket = afterSpace(dot + 1)
        guard bracket < bytes.count, bytes[bracket] == "(" else { return nil }
        return LaunchToken(kind: .binOpener(factory: start..<end), range: start..<bracket + 1)
    }

    private func uri(_ start: Int) -> LaunchToken? {
        if bytes[start].isASCIILetter {
            var end = start + 1
            while end < bytes.count, bytes[end].isASCIIAlphanumeric || "+,-.".utf8.contains(bytes[end]) { end += 1 }
            if bytes[end...].starts(with: "://".utf8) {
                return LaunchToken(kind: .uri, range: start..<(valueEnd(end + 3) ?? end + 3))
            }
        }
        // GStreamer takes a path for a URI, also behind one of these letters.
        let slash = "\"._identfr{}".utf8.contains(bytes[start]) ? start + 1 : start
        guard slash < bytes.count, bytes[slash] == "/" else { return nil }
        return valueEnd(slash + 1).map { LaunchToken(kind: .uri, range: start..<$0) }
    }

    /// `!`, or `! caps !`; a `:` links all pads that fit and may stand for either.
    private func link(_ start: Int) -> LaunchToken? {
        guard bytes[start] == "!" || bytes[start] == ":" else { return nil }
        let capsStart = afterSpace(start + 1)
        guard let end = filterEnd(capsStart) else {
            return LaunchToken(kind: .link(caps: nil), range: start..<start + 1)
        }
        var capsEnd = end - 1
        while capsEnd > capsStart, bytes[capsEnd - 1].isASCIISpace { capsEnd -= 1 }
        return LaunchToken(kind: .link(caps: capsStart..<capsEnd), range: start..<end)
    }

    /// The end of `caps !` at `start`, the link sign included.
    private func filterEnd(_ start: Int) -> Int? {
        guard var index = mediaTypeEnd(start) else { return nil }
        var best: Int?
        while index < bytes.count {
            let isEscaped = bytes[index - 1] == "\\"
            switch bytes[index] {
            case "!":
                best = index + 1
                guard isEscaped else { return best }
                index += 1
            case ":":
                best = index + 1
                index += 1
            case ";" where !isEscaped && bytes[index - 1] != ",":
                guard let next = mediaTypeEnd(afterSpace(index + 1)) else { return best }
                index = next
            default: index += 1
            }
        }
        return best
    }

    private func mediaTypeEnd(_ start: Int) -> Int? {
        func run(_ start: Int) -> Int? {
            var end = start
            while end < bytes.count, bytes[end].isASCIIAlphanumeric || bytes[end] == "-" { end += 1 }
            return end > start ? end : nil
        }
        guard let slash = run(start), slash < bytes.count, bytes[slash] == "/" else { return nil }
        return run(slash + 1)
    }

    private func afterSpace(_ start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index].isASCIISpace { index += 1 }
        return index
    }
}
