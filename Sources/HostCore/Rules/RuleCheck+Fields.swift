/// Fields that the events of a rule do not have, as far as they are the host's own.
extension RuleCheck {
    /// - Thread: any.
    static func fields(_ rules: [RuleSettings], _ problems: inout Problems) {
        for rule in rules {
            guard let known = HostEvents.fields(of: rule.patterns) else { continue }
            var told: Set<String> = []
            for condition in rule.conditions {
                // Of several conditions on one field the first is enough.
                guard told.insert(condition.field).inserted else { continue }
                check(condition.field, at: condition.span ?? rule.span, of: rule, known, &problems)
            }
            for (text, span) in rule.actions.flatMap(texts) {
                for field in text.payloadFields { check(field, at: span, of: rule, known, &problems) }
            }
        }
    }

    /// What is inside a field is not known.
    private static func check(
        _ field: String, at span: SourceSpan, of rule: RuleSettings, _ known: [String], _ problems: inout Problems
    ) {
        let parts = field.split(separator: ".", maxSplits: 1).map(String.init)
        guard let first = parts.first, !known.contains(first) else { return }
        let events = rule.patterns.map(\.text).joined(separator: ", ")
        let nearest = Suggestion.nearest(to: first, among: known)
        problems.warning(
            at: span, "the payload of \(events) has no field \(quoted(first))",
            help: known.isEmpty ? "it has none" : KnownNames.list("fields", known),
            suggestion: nearest.map { ([$0] + parts.dropFirst()).joined(separator: ".") })
    }

    private static func texts(_ action: RuleAction) -> [(RuleText, SourceSpan)] {
        switch action.kind {
        case .call(_, _, let parameters): parameters.map(texts) ?? []
        case .pipeline(_, let name, let parameters): [(name, action.span)] + (parameters.map(texts) ?? [])
        case .lifecycle: []
        case .exec(let words, _, _): words.map { ($0, action.span) }
        }
    }

    private static func texts(_ node: YAMLNode) -> [(RuleText, SourceSpan)] {
        switch node.content {
        case .scalar(let text, _): (try? RuleText(text.string)).map { [($0, node.span)] } ?? []
        case .list(let items): items.flatMap(texts)
        case .map(let entries): entries.flatMap { texts($0.value) }
        }
    }
}
