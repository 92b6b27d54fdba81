/// Reads a YAML file into a tree with positions.
///
/// The subset is the one a person writes by hand: maps, lists, scalars, anchors and aliases. Tags, merge keys and several
/// documents are refused with a message. Limits keep a hostile or broken file from costing more than a message.
struct YAMLReader {
    /// Bytes.
    static let largestFile = 1 << 20
    /// Levels of lists and maps.
    static let deepest = 32
    /// Scalars, lists and maps, those that aliases repeat included.
    static let mostNodes = 20_000

    private struct Stop: Error {}

    private let file: SourceFile
    private let events: YAMLEventStream
    private var problems = Problems()
    private var anchors: [String: (node: YAMLNode, count: Int, depth: Int)] = [:]
    private var nodeCount = 0

    /// The tree, or nil where the text is no YAML or holds nothing.
    /// - Parameter file: valid UTF-8, and not too large.
    static func read(_ file: SourceFile, into problems: inout Problems) -> YAMLNode? {
        guard let events = YAMLEventStream(file.bytes) else {
            problems.error(at: nil, "cannot read \(file.path): out of memory")
            return nil
        }
        var reader = YAMLReader(file: file, events: events)
        let root = reader.document()
        problems.add(reader.problems.diagnostics)
        return root
    }

    private init(file: SourceFile, events: YAMLEventStream) {
        self.file = file
        self.events = events
    }

    private mutating func document() -> YAMLNode? {
        var root: YAMLNode?
        do {
            while true {
                let event = try next()
                switch event.kind {
                case .streamEnd: return root
                case .documentStart where root != nil:
                    problems.error(
                        at: span(event.range), "a second YAML document begins here",
                        help: "a configuration is one document: remove the `---`")
                    return root
                case .documentStart, .documentEnd, .other: continue
                default: root = try node(event, depth: 0).node
                }
            }
        } catch {
            return nil
        }
    }

    private mutating func next() throws(Stop) -> YAMLEvent {
        do {
            return try events.next()
        } catch {
            let offset = place(of: error)
            let place = span(offset..<offset + 1)
            problems.error(at: place, "not valid YAML: \(error.message)", help: remedy(error))
            throw Stop()
        }
    }

    /// What is never closed is at fault where it begins, not where the reader gave up lines later.
    private func place(of error: YAMLEventStream.SyntaxError) -> Int {
        guard let start = error.contextOffset, start < file.bytes.count, "\"'[{".utf8.contains(file.bytes[start]) else {
            return error.offset
        }
        let isOpen = file.position(at: start).line < file.position(at: error.offset).line
        return isOpen || error.message == Self.endOfStream ? start : error.offset
    }

    private static let endOfStream = "found unexpected end of stream"

    private func remedy(_ error: YAMLEventStream.SyntaxError) -> String? {
        if error.offset < file.bytes.count, file.bytes[error.offset] == "\t" {
            return "indent with spaces, YAML does not allow tabs here"
        }
        switch error.message {
        case "mapping values are not allowed in this context":
            return "check the indentation of this line, or put a value that holds \": \" in quotes"
        case "could not find expected ':'": return "a key needs a colon behind it; check the indentation"
        case "did not find expected key": return "check the indentation: keys of one map begin in one column"
        case "found character that cannot start any token": return "put the value in quotes"
        case Self.endOfStream: return "a quote or bracket is never closed"
        case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
            return "a bracket is never closed, or a comma is missing"
        default: return nil
        }
    }

    /// The node that `event` begins, how many nodes it has and how many levels.
    private mutating func node(
        _ event: YAMLEvent, depth: Int
    ) throws(Stop) -> (node: YAMLNode, count: Int, depth: Int) {
        try checkDepth(depth, at: event.range)
        try count(1, at: event.range)
        let before = nodeCount - 1
        if event.hasTag {
            problems.error(
                at: span(event.range), "YAML tags are not supported",
                help: "remove the tag; text that begins with \"!\" goes in quotes")
        }
        var levels = 0
        let result: YAMLNode
        switch event.kind {
        case .alias(let name):
            guard let anchor = anchors[name] else {
                problems.error(
                    at: span(event.range), "no anchor \(quoted(name)) before this alias",
                    help: "text that begins with \"*\" goes in quotes",
                    suggestion: Suggestion.nearest(to: name, among: anchors.keys))
                return (empty(event.range), 1, 0)
            }
            try count(anchor.count - 1, at: event.range)
            try checkDepth(depth + anchor.depth, at: event.range)
            return anchor
        case .scalar(let value, let style):
            let range = trimmed(event.range, style)
            if value.contains(0) { problems.error(at: span(range), "a text cannot hold NUL") }
            let text = ScalarAligner.align(value, in: file, range: range, style: style)
            result = YAMLNode(.scalar(text, style == .plain ? .plain : .quoted), span: span(range))
        case .listStart:
            var items: [YAMLNode] = []
            var end = event.range.upperBound
            while true {
                let item = try next()
                if case .listEnd = item.kind {
                    end = max(end, item.range.upperBound)
                    break
                }
                let child = try node(item, depth: depth + 1)
                levels = max(levels, child.depth + 1)
                items.append(child.node)
            }
            result = YAMLNode(.list(items), span: span(event.range.lowerBound..<end))
        case .mapStart:
            var entries: [YAMLEntry] = []
            let end = try map(into: &entries, levels: &levels, depth: depth)
            result = YAMLNode(.map(entries), span: span(event.range.lowerBound..<max(end, event.range.upperBound)))
        default: result = empty(event.range)
        }
        let whole = (node: result, count: nodeCount - before, depth: levels)
        if let anchor = event.anchor { anchors[anchor] = whole }
        return whole
    }

    private mutating func map(into entries: inout [YAMLEntry], levels: inout Int, depth: Int) throws(Stop) -> Int {
        var seen: [String: SourceSpan] = [:]
        while true {
            let event = try next()
            if case .mapEnd = event.kind { return event.range.upperBound }
            let key = try node(event, depth: depth + 1)
            let value = try node(next(), depth: depth + 1)
            levels = max(levels, key.depth + 1, value.depth + 1)
            guard let text = key.node.text else {
                problems.error(at: key.node.span, "a key must be a name, not \(key.node.kind)")
                continue
            }
            let name = text.string
            if name == "<<", case .scalar(_, .plain) = key.node.content {
                problems.error(
                    at: key.node.span, "merge keys (<<) are not supported",
                    help: "write the keys out, or share their values through `vars:`")
                continue
            }
            if let first = seen[name] {
                problems.error(
                    at: key.node.span, "the key \(quoted(name)) is given twice",
                    help: "the first is in line \(first.start.line)")
                continue
            }
            seen[name] = key.node.span
            entries.append(YAMLEntry(key: name, keySpan: key.node.span, value: value.node))
        }
    }

    private mutating func checkDepth(_ depth: Int, at range: Range<Int>) throws(Stop) {
        guard depth > Self.deepest else { return }
        throw stop(at: range, "nested too deeply", help: "lists and maps may be \(Self.deepest) levels deep")
    }

    private mutating func count(_ nodes: Int, at range: Range<Int>) throws(Stop) {
        nodeCount += nodes
        guard nodeCount > Self.mostNodes else { return }
        throw stop(
            at: range, "too many values",
            help: "a configuration may have \(Self.mostNodes), repeats by aliases included")
    }

    private mutating func stop(at range: Range<Int>, _ message: String, help: String) -> Stop {
        problems.error(at: span(range), message, help: help)
        return Stop()
    }

    /// A block scalar's range runs on over the blank lines behind it; the content alone is meant.
    private func trimmed(_ range: Range<Int>, _ style: ScalarAligner.Style) -> Range<Int> {
        guard style == .block || style == .plain else { return range }
        var end = min(range.upperBound, file.bytes.count)
        while end > range.lowerBound, file.bytes[end - 1].isASCIISpace { end -= 1 }
        return range.lowerBound..<end
    }

    private func empty(_ range: Range<Int>) -> YAMLNode {
        let start = min(range.lowerBound, file.bytes.count)
        return YAMLNode(.scalar(SourceText(file: file, whole: start..<start), .plain), span: span(start..<start))
    }

    private func span(_ range: Range<Int>) -> SourceSpan { SourceSpan(file: file, range: range) }
}
