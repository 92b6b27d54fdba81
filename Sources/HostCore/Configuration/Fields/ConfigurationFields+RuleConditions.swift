/// What the fields of an event must be: the keys of `if`.
extension ConfigurationFields {
    /// What is said of one field.
    typealias RuleTests = [RuleCondition.Test]

    static let ruleTests = FieldTable<RuleTests>(fields: [
        Field("is", "it is this value, or one of these", valueOrList, example: "failed") { node, tests, problems in
            if let texts = texts(node, "is", &problems) { tests.append(.isOne(texts)) }
        },
        Field("not", "it is there, and none of these", valueOrList, example: "[playing, paused]") {
            node, tests, problems in
            if let texts = texts(node, "not", &problems) { tests.append(.isNone(texts)) }
        },
        limit("above", "a number above this") { .above($0) },
        limit("below", "a number below this") { .below($0) },
        limit("at-least", "a number not below this") { .atLeast($0) },
        limit("at-most", "a number not above this") { .atMost($0) },
        Field("present", "whether it is there at all", .flag, example: "true") { node, tests, problems in
            if let flag = node.flag(for: "present", &problems) { tests.append(.isPresent(flag)) }
        },
    ])

    static let valueOrList = FieldKind.oneOf([.scalar, .list(.scalar)])

    /// What an entry of `if` takes.
    static let ruleTest = FieldKind.oneOf([.scalar, .list(.scalar), .map(ruleTests.descriptions, isOpen: false)])

    static func decodeConditions(_ node: YAMLNode, _ problems: inout Problems) -> [RuleCondition] {
        guard let entries = node.entries else {
            problems.error(
                at: node.span, "\"if\" must be a map of fields of the payload, not \(node.kind)",
                help: "for example: { state: failed }")
            return []
        }
        return entries.flatMap { entry in
            guard entry.key.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty }) else {
                problems.error(
                    at: entry.keySpan, "\(quoted(entry.key)) is no field",
                    help: "keys of inner maps are joined with dots: error.code")
                return [RuleCondition]()
            }
            var tests: RuleTests = []
            if entry.value.isNull {
                problems.error(
                    at: entry.keySpan, "\(quoted(entry.key)) is compared with nothing",
                    help: "for a field that is not there: { present: false }")
            } else if entry.value.entries != nil {
                ruleTests.decode(
                    entry.value, subject: "the condition on \(quoted(entry.key))", place: entry.keySpan, into: &tests,
                    problems: &problems)
            } else if let texts = texts(entry.value, entry.key, &problems) {
                tests = [.isOne(texts)]
            }
            return tests.map { RuleCondition(field: entry.key, test: $0, span: entry.keySpan) }
        }
    }

    /// One value, or those of a list.
    private static func texts(_ node: YAMLNode, _ key: String, _ problems: inout Problems) -> [String]? {
        guard let items = node.items else {
            if let text = node.text?.string { return [text] }
            problems.error(at: node.span, "\(quoted(key)) must be a value or a list of values, not \(node.kind)")
            return nil
        }
        guard !items.isEmpty else {
            problems.error(at: node.span, "\(quoted(key)) can be none of an empty list")
            return nil
        }
        return items.compactMap { item in
            if item.text == nil {
                problems.error(at: item.span, "\(quoted(key)) must be a list of values; this is \(item.kind)")
            }
            return item.text?.string
        }
    }

    /// Durations and sizes may be written with their unit: events have nanoseconds and bytes.
    private static func limit(
        _ key: String, _ summary: String, _ test: @escaping @Sendable (Double) -> RuleCondition.Test
    ) -> Field<RuleTests> {
        Field(key, summary, .scalar, example: "500ms") { node, tests, problems in
            guard let text = node.text(for: key, &problems) else { return }
            if let number = Quantity.number(text) {
                tests.append(test(number))
            } else if let time = try? Quantity.duration(text) {
                tests.append(test(Double(time)))
            } else if let size = try? Quantity.size(text) {
                tests.append(test(Double(size)))
            } else {
                problems.error(
                    at: node.span, "\(quoted(key)) must be a number, a duration or a size, not \(node.kind)",
                    help: "for example: 3, 500ms or 64MiB")
            }
        }
    }
}
