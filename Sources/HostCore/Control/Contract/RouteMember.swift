/// One member of a request: a parameter of its path, a member of its query or of its body.
///
/// ```swift
/// RouteMember.whole("lines", 1...1000, default: 100, "how many")
/// ```
struct RouteMember: Sendable {
    let name: String
    /// In the language of the plugins' configs: type, unit, choices, bounds, default, and the sentence about it.
    let rule: SchemaRule
    var isRequired = false
    /// How many characters a text may have.
    var lengths: ClosedRange<Int>?
    /// Whether a text is shown as it is: on one line, and without what would move a terminal's cursor.
    var isShown = false
    /// For the description of the API: what the handler itself looks at more closely.
    var pattern: String?

    static func text(
        _ name: String, _ summary: String, isRequired: Bool = false, lengths: ClosedRange<Int>? = nil,
        pattern: String? = nil, format: SchemaFormat? = nil
    ) -> RouteMember {
        RouteMember(
            name: name, rule: SchemaRule(kind: .string, format: format, summary: summary), isRequired: isRequired,
            lengths: lengths, pattern: pattern)
    }

    /// A name that its user makes up.
    static func name(_ name: String, _ summary: String, lengths: ClosedRange<Int>) -> RouteMember {
        var member = text(name, summary, lengths: lengths, pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$")
        member.isShown = true
        return member
    }

    static func choice(
        _ name: String, _ choices: [String], default: String? = nil, _ summary: String, isRequired: Bool = false
    ) -> RouteMember {
        RouteMember(
            name: name,
            rule: SchemaRule(
                kind: .string, summary: summary, defaultValue: `default`.map { .string($0) },
                choices: choices.map { .string($0) }), isRequired: isRequired)
    }

    static func flag(
        _ name: String, default: Bool? = nil, _ summary: String, isRequired: Bool = false
    ) -> RouteMember {
        RouteMember(
            name: name,
            rule: SchemaRule(kind: .boolean, summary: summary, defaultValue: `default`.map { .bool($0) }),
            isRequired: isRequired)
    }

    static func whole(
        _ name: String, _ range: ClosedRange<Int>, default: Int? = nil, _ summary: String
    ) -> RouteMember {
        RouteMember(
            name: name,
            rule: SchemaRule(
                kind: .integer, summary: summary, defaultValue: `default`.map { .int(Int64($0)) },
                minimum: .int(Int64(range.lowerBound)), maximum: .int(Int64(range.upperBound))))
    }

    static func number(
        _ name: String, _ range: ClosedRange<Double>, _ summary: String, isRequired: Bool = false
    ) -> RouteMember {
        RouteMember(
            name: name,
            rule: SchemaRule(
                kind: .number, summary: summary, minimum: .double(range.lowerBound), maximum: .double(range.upperBound)),
            isRequired: isRequired)
    }

    /// A text with a unit; in JSON nanoseconds, too.
    static func duration(_ name: String, _ summary: String, isRequired: Bool = false) -> RouteMember {
        RouteMember(
            name: name, rule: SchemaRule(kind: .integer, format: .duration, summary: summary), isRequired: isRequired)
    }

    /// How long a part of a path may be.
    static let names = 1...1024
    /// ELEMENT.PAD and ELEMENT.PROPERTY as a regular expression.
    static let twoNames = "^[^\\s/\\u0000]+\\.[^\\s/.\\u0000]+$"

    /// What stands in the place of `{name}` in a path. The same name means the same in every route.
    static func path(_ name: String) -> RouteMember {
        var pattern: String?
        let summary: String
        switch name {
        case "pipeline": summary = "the name of a pipeline of the config"
        case "instance": summary = "the name of a plugin of the config"
        case "job":
            summary = "the id of a job"
            pattern = StreamPosition.pattern
        case "command": summary = "a command of that plugin"
        case "property":
            summary = "ELEMENT.PROPERTY, as in `camera.brightness`"
            pattern = twoNames
        default: summary = "see the summary"
        }
        return .text(name, summary, isRequired: true, lengths: names, pattern: pattern)
    }
}

extension RouteMember {
    /// The value of a text of a query.
    func resolve(text: String) throws(ControlError) -> Value { try resolve(SchemaInput(.string(text))) }

    /// The value of a member of a JSON body. A JSON type that is not the member's is refused: `"true"` is no boolean.
    func resolve(json value: Value) throws(ControlError) -> Value {
        var input = SchemaInput(value)
        guard takes(value) else {
            throw ControlError(
                .invalid, "\(quoted(name)) must be \(rule.noun), not \(value.kindForPeople)", field: name)
        }
        if rule.format == .duration, case .scalar(let number) = input.content, value.string == nil {
            input.content = .scalar("\(number)ns")
        }
        return try resolve(input)
    }

    private func takes(_ value: Value) -> Bool {
        switch (rule.kind, value) {
        case (.string, .string), (.integer, .int), (.number, .int), (.number, .double), (.boolean, .bool): true
        case (.integer, .string): rule.format == .duration
        // JSON does not tell 30.0 from 30.
        case (.integer, .double(let number)): Int64(exactly: number) != nil
        default: false
        }
    }

    private func resolve(_ input: SchemaInput) throws(ControlError) -> Value {
        var resolver = SchemaResolver(names: nil)
        guard let value = resolver.resolve(input, rule, path: name) else {
            let first = resolver.problems.diagnostics.first
            let error = ValueSchemaError(
                message: first?.message ?? "\(quoted(name)) does not fit", help: first?.help,
                suggestion: first?.suggestion)
            throw ControlError(.invalid, error.description, field: name)
        }
        if let lengths, let text = value.string, !lengths.contains(text.unicodeScalars.count) {
            throw ControlError(
                .invalid,
                "\(quoted(name)) must have \(lengths.lowerBound) to \(lengths.upperBound) characters, not "
                    + "\(text.unicodeScalars.count)", field: name)
        }
        if isShown, let text = value.string, text.unicodeScalars.contains(where: TextWidth.isControl) {
            throw ControlError(
                .invalid,
                "\(quoted(name)) must be a line of text: it has a control character, as a new line or an escape",
                field: name)
        }
        return value
    }
}

extension Value {
    /// What kind of JSON it is, for messages.
    fileprivate var kindForPeople: String {
        switch self {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): "the text \(quoted(text))"
        case .list: "a list"
        case .map: "a map"
        }
    }
}
