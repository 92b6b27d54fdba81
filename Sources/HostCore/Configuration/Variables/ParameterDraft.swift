/// A parameter of a template as its keys are read, before what they say of each other is checked.
struct ParameterDraft {
    var type = ParameterType.text
    var summary = ""
    var isRequired: Bool?
    var requiredPlace: SourceSpan?
    var defaultNode: YAMLNode?
    var minimum: YAMLNode?
    var maximum: YAMLNode?
    var choices: YAMLNode?

    func parameter(_ name: String, at place: SourceSpan, _ problems: inout Problems) -> TemplateParameter? {
        var rule = type.rule
        rule.summary = summary
        let before = problems.diagnostics.count
        for (key, node) in [("minimum", minimum), ("maximum", maximum)] {
            if let node, !type.hasOrder {
                problems.error(
                    at: node.span, "\"\(key)\" does not go with type: \(type.rawValue)",
                    help: "it goes with integer, number, duration and size")
            }
        }
        if type.hasOrder {
            let bare = rule
            rule.minimum = value(minimum, bare, "minimum", &problems)
            rule.maximum = value(maximum, bare, "maximum", &problems)
            if let low = rule.minimum?.double, let high = rule.maximum?.double, low > high, let maximum {
                problems.error(at: maximum.span, "\"maximum\" is below \"minimum\"")
            }
        }
        addChoices(to: &rule, at: place, &problems)
        rule.defaultValue = value(defaultNode, rule, "default", &problems)
        if defaultNode != nil, isRequired == true, let requiredPlace {
            problems.error(
                at: requiredPlace, "a required parameter needs no default", help: "remove one of the two")
        }
        guard problems.diagnostics.count == before else { return nil }
        return TemplateParameter(
            name: name, rule: rule, isRequired: isRequired ?? (defaultNode == nil),
            defaultText: defaultNode?.text?.bytes)
    }

    private func addChoices(to rule: inout SchemaRule, at place: SourceSpan, _ problems: inout Problems) {
        guard type == .choice else {
            if let choices {
                problems.error(
                    at: choices.span, "\"choices\" does not go with type: \(type.rawValue)", help: "write type: choice")
            }
            return
        }
        guard let choices else {
            problems.error(at: place, "a choice needs \"choices\"", help: "for example: choices: [low, high]")
            return
        }
        guard let items = choices.items, !items.isEmpty else {
            problems.error(at: choices.span, "\"choices\" must be a list of texts, not \(choices.kind)")
            return
        }
        rule.choices = items.compactMap { item in item.text(for: "choices", &problems).map { .string($0) } }
    }

    private func value(_ node: YAMLNode?, _ rule: SchemaRule, _ path: String, _ problems: inout Problems) -> Value? {
        guard let node else { return nil }
        var resolver = SchemaResolver(names: nil)
        let value = resolver.resolve(SchemaInput(node), rule, path: path)
        problems.add(resolver.problems.diagnostics)
        return value
    }
}
