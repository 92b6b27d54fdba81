/// What a schema is applied to: YAML, or values from a command line or an API. Scalars are text until a rule types them.
struct SchemaInput {
    indirect enum Content {
        case null
        case scalar(String)
        case list([SchemaInput])
        case map([Entry])
        /// Not known yet: fits whatever it is for.
        case later
    }

    struct Entry {
        var key: String
        var keySpan: SourceSpan?
        var value: SchemaInput
    }

    var content: Content
    var span: SourceSpan?

    init(_ node: YAMLNode) {
        span = node.span
        switch node.content {
        case .scalar(let text, _): content = node.isNull ? .null : .scalar(text.string)
        case .list(let items): content = .list(items.map { SchemaInput($0) })
        case .map(let entries):
            content = .map(entries.map { Entry(key: $0.key, keySpan: $0.keySpan, value: SchemaInput($0.value)) })
        }
    }

    init(_ value: Value) {
        switch value {
        case .null: content = .null
        case .bool(let flag): content = .scalar(flag ? "true" : "false")
        case .int(let number): content = .scalar(String(number))
        case .double(let number):
            // JSON does not tell 30.0 from 30.
            content = .scalar(Int64(exactly: number).map { String($0) } ?? String(number))
        case .string(let text): content = .scalar(text)
        case .list(let items): content = .list(items.map { SchemaInput($0) })
        case .map(let members):
            content = .map(members.map { Entry(key: $0.key, keySpan: nil, value: SchemaInput($0.value)) })
        }
    }

    var isNull: Bool {
        if case .null = content { return true }
        return false
    }

    /// For messages.
    var kind: String {
        switch content {
        case .null: "nothing"
        case .scalar(let text): quoted(text)
        case .list: "a list"
        case .map: "a map"
        case .later: "a value to come"
        }
    }
}
