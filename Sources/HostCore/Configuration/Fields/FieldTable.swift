/// The keys a map of the configuration may have, each with what it does to a `Target`.
///
/// One table is the parser, the list of valid keys in messages, the reference and the editors' schema.
struct FieldTable<Target>: Sendable {
    var fields: [Field<Target>]

    var descriptions: [FieldDescription] { fields.map(\.description) }

    /// Applies every entry of `node`; what is unknown, missing or no map is reported.
    /// - Parameters:
    ///   - subject: what the map describes, for messages: `pipeline "porch"`.
    ///   - place: where to report a missing key.
    ///   - isPartial: whether keys that are missing were accounted for elsewhere.
    func decode(
        _ node: YAMLNode, subject: String, place: SourceSpan, isPartial: Bool = false, into target: inout Target,
        problems: inout Problems
    ) {
        guard let entries = node.isNull ? [] : node.entries else {
            problems.error(at: node.span, "\(subject) must be a map, not \(node.kind)", help: help)
            return
        }
        for entry in entries {
            guard let field = fields.first(where: { $0.key == entry.key }) else {
                problems.error(
                    at: entry.keySpan, "unknown key \(quoted(entry.key)) in \(subject)", help: help,
                    suggestion: Suggestion.nearest(to: entry.key, among: fields.map(\.key)))
                continue
            }
            if entry.value.isNull {
                if field.isRequired {
                    problems.error(at: entry.keySpan, "\(quoted(entry.key)) has no value", help: field.summary)
                }
                continue
            }
            field.decode(entry.value, &target, &problems)
        }
        for field in fields where field.isRequired && !isPartial && !entries.contains(where: { $0.key == field.key }) {
            problems.error(
                at: place, "\(subject) has no \(quoted(field.key))",
                help: field.description.remedy ?? "\(field.key): \(field.summary)")
        }
    }

    private var help: String { "valid keys: " + fields.map(\.key).joined(separator: ", ") }
}
