/// Which entries of a stream a client is told of.
struct StreamFilter: Sendable, Equatable {
    static let mostPatterns = 32
    /// The names as a regular expression. Spaces around them and commas too many do not matter, and are not in it.
    static let namesPattern =
        "^((\\*|[^*,\\u0000]+(\\.\\*)?)(,(\\*|[^*,\\u0000]+(\\.\\*)?)){0,\(mostPatterns - 1)})?$"

    /// By name; one of them has to match.
    var patterns: [EventPattern]
    /// Nil: from anybody.
    var source: String?

    static let everything = StreamFilter(patterns: [.all])

    init(patterns: [EventPattern], source: String? = nil) {
        self.patterns = patterns
        self.source = source
    }

    /// - Parameter names: "pipeline.*,lifecycle.locked"; nil, "" and "*" are everything.
    init(names: String?, source: String?) throws(ControlError) {
        let words = (names ?? "").utf8.split(separator: UInt8(ascii: ",")).map { Self.trimmed(String($0) ?? "") }
            .filter { !$0.isEmpty }
        guard words.count <= Self.mostPatterns else {
            throw ControlError(
                .invalid, "the filter has \(words.count) patterns, \(Self.mostPatterns) are allowed",
                field: "filter")
        }
        for word in words where word != "*" && word.dropLast(word.hasSuffix(".*") ? 2 : 0).contains("*") {
            throw ControlError(
                .invalid, "`\(word)` is no pattern: write a name, all of a kind as `pipeline.*`, or `*`",
                field: "filter")
        }
        let isAll = words.isEmpty || words.contains("*")
        self.init(patterns: isAll ? [.all] : words.map { EventPattern($0) }, source: source)
    }

    var isEverything: Bool { source == nil && patterns.contains(.all) }

    func takes(_ entry: StreamEntry) -> Bool {
        isFrom(entry.source) && patterns.contains { $0.matches(entry.name) }
    }

    /// The log says what kind a source is, "pipeline camera"; its name alone will do.
    private func isFrom(_ given: String) -> Bool {
        guard let source else { return true }
        if given == source { return true }
        guard let space = given.utf8.firstIndex(of: UInt8(ascii: " ")) else { return false }
        return given[given.utf8.index(after: space)...] == source
    }

    private static func trimmed(_ text: String) -> String {
        var rest = text[...]
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
