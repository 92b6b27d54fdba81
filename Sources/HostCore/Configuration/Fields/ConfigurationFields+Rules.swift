internal import GStreamerKit

/// The keys of one entry of `rules`.
extension ConfigurationFields {
    /// A rule as its keys are read.
    struct RuleDraft {
        var settings: RuleSettings
        var action = RuleActionDraft()
        /// Those of `do`.
        var actions: [RuleAction]?
        var actionsPlace: SourceSpan?
    }

    static let rule = FieldTable<RuleDraft>(
        fields: [
            Field(
                "name", "what it is called in logs, events and metrics; without it, after its first event", .text,
                example: "save-on-lock"
            ) { node, draft, problems in
                guard let name = node.text(for: "name", &problems) else { return }
                guard isPlainName(name) else {
                    return problems.error(
                        at: node.span, "\(quoted(name)) is no name for a rule",
                        help: "names have letters, digits, \"_\" and \"-\"")
                }
                draft.settings.name = name
            },
            Field(
                "when", "the event that it waits for, or a list of them; pipeline.* is all that begin so",
                .oneOf([.text, .list(.text)]), example: "lifecycle.locked", isRequired: true
            ) { node, draft, problems in
                guard let items = listed(node, "when", &problems) else { return }
                for item in items {
                    guard let text = item.text(for: "when", &problems) else { continue }
                    if let pattern = pattern(text, at: item.span, &problems) { draft.settings.patterns.append(pattern) }
                }
            },
            Field(
                "source", "whose events: host, or names of pipelines and plugins; without it, anybody's",
                .oneOf([.text, .list(.text)]), example: "porch"
            ) { node, draft, problems in
                guard let items = listed(node, "source", &problems) else { return }
                draft.settings.sources = items.compactMap { $0.text(for: "source", &problems) }
                draft.settings.sourcePlaces = items.map(\.span)
            },
            Field(
                "if", "what fields of the event's payload must be, each a value, a list of values or a comparison",
                .named(form: fieldForm, ruleTest), default: "{}"
            ) { node, draft, problems in draft.settings.conditions = decodeConditions(node, &problems) },
            .duration(
                "debounce", "without another such event for this long it fires, once, with the last one; 0: with each",
                in: .zero...longestTime, default: "0", \.settings.debounce),
            Field(
                "rate", "more firings than this in that time are dropped",
                .rate(count: ruleCounts, period: rulePeriods),
                default: "100 per 10s"
            ) { node, draft, problems in
                guard let rate = node.rate(for: "rate", count: ruleCounts, period: rulePeriods, &problems) else {
                    return
                }
                draft.settings.rate = .init(count: rate.count, period: rate.period)
            },
        ] + ruleAction.fields.map(inRule) + [
            Field(
                "do", "several things, one after the other; the first that fails is the last",
                .list(.map(ruleAction.descriptions, isOpen: false)), example: "[{ call: replay.save }]"
            ) { node, draft, problems in decodeActions(node, &draft, &problems) }
        ])

    private static let ruleCounts: ClosedRange<Int64> = 1...10_000
    private static let rulePeriods = ClockTime.seconds(1)...longestTime
    /// Keys of a payload, joined with dots.
    private static let fieldForm = "^[^.]+(\\.[^.]+)*$"

    /// More of them nobody oversees.
    static let mostRules = 256

    /// All rules of a file; what belongs to several of them, their names, is seen to last.
    static func describeRules(_ node: YAMLNode, _ problems: inout Problems) -> [RuleSettings] {
        guard let items = node.items else {
            problems.error(
                at: node.span, "\"rules\" must be a list of rules, not \(node.kind)",
                help: "for example: [{ when: lifecycle.locked, call: replay.save }]")
            return []
        }
        guard items.count <= mostRules else {
            problems.error(at: items[mostRules].span, "a configuration may have \(mostRules) rules")
            return []
        }
        var rules = items.compactMap { describeRule($0, &problems) }
        var taken: [String: SourceSpan] = [:]
        for rule in rules where !rule.name.isEmpty {
            if let first = taken[rule.name] {
                var found = Diagnostic(.error, at: rule.span, "there are two rules \(quoted(rule.name))")
                found.note = .init(at: first, "this is the first")
                problems.add(found)
            }
            taken[rule.name] = rule.span
        }
        for index in rules.indices where rules[index].name.isEmpty {
            let event = rules[index].patterns.first?.text ?? "rule"
            var name = event
            var number = 1
            while taken[name] != nil {
                number += 1
                name = "\(event)-\(number)"
            }
            taken[name] = rules[index].span
            rules[index].name = name
        }
        return rules
    }

    private static func describeRule(_ node: YAMLNode, _ problems: inout Problems) -> RuleSettings? {
        let place = node.entries?.first?.keySpan ?? node.span
        var draft = RuleDraft(settings: RuleSettings("", span: place))
        let before = problems.errorCount
        let name = node["name"]?.text?.string
        let subject = name.map { "rule \(quoted($0))" } ?? "this rule"
        rule.decode(node, subject: subject, place: place, into: &draft, problems: &problems)
        if let actions = draft.actions {
            if !draft.action.isEmpty {
                problems.error(
                    at: draft.actionsPlace, "\(subject) has \"do\" beside what it does",
                    help: "put all of it into \"do\"")
            }
            draft.settings.actions = actions
        } else if problems.errorCount == before || !draft.action.isEmpty {
            if let action = draft.action.action(subject, at: place, &problems) { draft.settings.actions = [action] }
        }
        return problems.errorCount == before ? draft.settings : nil
    }

    private static func decodeActions(_ node: YAMLNode, _ draft: inout RuleDraft, _ problems: inout Problems) {
        guard let items = node.items, !items.isEmpty else {
            return problems.error(
                at: node.span,
                "\"do\" must be a list of things to do, not \(node.items == nil ? node.kind : "an empty one")",
                help: "for example: [{ call: replay.save }, { lifecycle: pause }]")
        }
        draft.actionsPlace = node.span
        draft.actions = items.compactMap { item in
            var action = RuleActionDraft()
            let before = problems.errorCount
            ruleAction.decode(
                item, subject: "an entry of \"do\"", place: item.span, into: &action, problems: &problems)
            guard problems.errorCount == before || !action.isEmpty else { return nil }
            return action.action("this entry of \"do\"", at: item.span, &problems)
        }
    }

    private static func pattern(_ text: String, at span: SourceSpan, _ problems: inout Problems) -> EventPattern? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, !parts.contains(""), !parts.dropLast().contains("*"), !parts[0].contains("*"),
            !text.dropLast(text.hasSuffix(".*") ? 2 : 0).contains("*")
        else {
            problems.error(
                at: span, "\(quoted(text)) is no name of events", help: "for example: lifecycle.locked, or pipeline.*")
            return nil
        }
        if let (message, suggestion) = HostEvents.explain(text) {
            problems.warning(
                at: span, message, help: "it never comes, unless a plugin posts it", suggestion: suggestion)
        }
        return EventPattern(text)
    }

    private static func listed(_ node: YAMLNode, _ key: String, _ problems: inout Problems) -> [YAMLNode]? {
        if node.text != nil { return [node] }
        guard let items = node.items, !items.isEmpty else {
            problems.error(
                at: node.span,
                "\(quoted(key)) must be a name or a list of names, not "
                    + (node.items == nil ? node.kind : "an empty list"))
            return nil
        }
        return items
    }

    /// A key of an action in the rule itself.
    private static func inRule(_ field: Field<RuleActionDraft>) -> Field<RuleDraft> {
        var own = Field<RuleDraft>(field.key, field.summary, field.description.kind) { node, draft, problems in
            field.decode(node, &draft.action, &problems)
        }
        own.description = field.description
        return own
    }
}
