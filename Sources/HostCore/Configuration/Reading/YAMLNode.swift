/// A piece of YAML that knows where it stands. What it means is for its reader to say: a scalar is text.
///
/// Two nodes are equal when they read the same; positions, quotes and comments do not count.
public struct YAMLNode: Sendable, Equatable {
    public enum Style: Sendable {
        case plain
        /// In quotes, or a block scalar: never null.
        case quoted
    }

    public enum Content: Sendable {
        case scalar(SourceText, Style)
        case list([YAMLNode])
        case map([YAMLEntry])
    }

    public var content: Content
    public var span: SourceSpan

    public init(_ content: Content, span: SourceSpan) {
        self.content = content
        self.span = span
    }

    public var text: SourceText? {
        if case .scalar(let text, _) = content { text } else { nil }
    }

    public var items: [YAMLNode]? {
        if case .list(let items) = content { items } else { nil }
    }

    public var entries: [YAMLEntry]? {
        if case .map(let entries) = content { entries } else { nil }
    }

    /// Nothing, `~` or `null`, without quotes.
    public var isNull: Bool {
        guard case .scalar(let text, .plain) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text.string)
    }

    /// The value of a map's key.
    public subscript(key: String) -> YAMLNode? {
        entries?.first { $0.key == key }?.value
    }

    /// What it is, for messages: `a list`.
    var kind: String {
        switch content {
        case .scalar(let text, _): isNull ? "nothing" : quoted(text.string)
        case .list: "a list"
        case .map: "a map"
        }
    }

    public static func == (left: YAMLNode, right: YAMLNode) -> Bool {
        switch (left.content, right.content) {
        case (.scalar(let one, _), .scalar(let other, _)): one == other && left.isNull == right.isNull
        case (.list(let one), .list(let other)): one == other
        case (.map(let one), .map(let other)): one == other
        default: false
        }
    }
}
