/// One key of a map of the configuration, and what it does to a `Target`.
struct Field<Target>: Sendable {
    var description: FieldDescription
    /// Called for each value that is there; it reports what is wrong with it.
    var decode: @Sendable (YAMLNode, inout Target, inout Problems) -> Void

    init(
        _ key: String, _ summary: String, _ kind: FieldKind, default defaultText: String? = nil,
        example: String? = nil, isRequired: Bool = false, standIn: String? = nil, remedy: String? = nil,
        decode: @escaping @Sendable (YAMLNode, inout Target, inout Problems) -> Void
    ) {
        description = FieldDescription(
            key: key, summary: summary, kind: kind, defaultText: defaultText, example: example,
            isRequired: isRequired, standIn: standIn, remedy: remedy)
        self.decode = decode
    }

    var key: String { description.key }
    var summary: String { description.summary }
    var isRequired: Bool { description.isRequired }
}
