/// Rules as JSON Schema, for programs that know nothing of units and of the host's formats.
///
/// - Thread: any. Pure.
enum OpenAPISchema {
    /// How values get to the host, or from it.
    enum Usage: Sendable {
        /// A part of a path or a query: texts.
        case text
        /// A member of a JSON body of the host's own routes.
        case json
        /// A parameter of a plugin's command: a command line sends texts, so texts do for everything.
        case parameter
        /// What a command answers: quantities are plain numbers.
        case result
    }

    /// Texts travel through C, which cannot hold a NUL.
    static let textPattern = "^[^\\u0000]*$"
    private static let durationPattern = "^([0-9]+ *ns|[0-9]+(\\.[0-9]+)? *(us|ms|s|min|h)|0+(\\.0+)?)$"
    private static let sizePattern = "^([0-9]+(\\.[0-9]+)? *([kKMGT]?B|[kKMG]|[KMGT]iB)|0+(\\.0+)?)$"

    static func of(_ member: RouteMember, _ usage: Usage) -> Value {
        var schema = of(member.rule, usage).members ?? []
        schema.removeAll { $0.key == "description" }
        if let pattern = member.pattern {
            schema.removeAll { $0.key == "pattern" }
            schema.append(.init("pattern", .string(pattern)))
        }
        if let lengths = member.lengths {
            schema.append(.init("minLength", .int(Int64(lengths.lowerBound))))
            schema.append(.init("maxLength", .int(Int64(lengths.upperBound))))
        }
        return .map(schema)
    }

    /// - Parameter isRequired: an optional parameter of a command may be null, too.
    static func of(_ rule: SchemaRule, _ usage: Usage, isRequired: Bool = true) -> Value {
        var members: [Value.Member] = []
        let isQuantity = rule.format == .duration || rule.format == .size
        switch rule.kind {
        case .object(let properties): members = object(properties, usage)
        case .array(let item): members = [.init("type", "array"), .init("items", of(item, usage))]
        case .string:
            members = [.init("type", usage == .parameter ? ["string", "number", "boolean"] : "string")]
            if rule.choices.isEmpty, usage != .result { members.append(.init("pattern", .string(textPattern))) }
        case .integer where isQuantity: members = quantity(rule, usage)
        case .integer: members = scalar("integer", "^[+-]?[0-9]+$", usage)
        case .number: members = scalar("number", "^[+-]?[0-9]+(\\.[0-9]+)?$", usage)
        case .boolean: members = scalar("boolean", "^(true|false)$", usage)
        }
        if usage == .parameter, !isRequired { allowNull(&members) }
        if !isQuantity || usage == .result { members += limits(rule) }
        if !rule.choices.isEmpty { members.append(.init("enum", .list(choices(rule, usage, isRequired)))) }
        if let value = rule.defaultValue, rule.format != .secret {
            let isText = isQuantity && usage != .result
            members.append(.init("default", isText ? .string(rule.text(value)) : value))
        }
        if let format = rule.format { members.append(.init("x-mediahost-format", .string(format.rawValue))) }
        if !rule.summary.isEmpty { members.append(.init("description", .string(rule.summary))) }
        return .map(members)
    }

    private static func object(_ properties: [SchemaRule.Property], _ usage: Usage) -> [Value.Member] {
        var members: [Value.Member] = [
            .init("type", "object"),
            .init(
                "properties",
                .map(properties.map { .init($0.key, of($0.rule, usage, isRequired: $0.isRequired)) })),
        ]
        let required = properties.filter(\.isRequired).map { Value.string($0.key) }
        if !required.isEmpty { members.append(.init("required", .list(required))) }
        members.append(.init("additionalProperties", false))
        return members
    }

    private static func scalar(_ type: String, _ pattern: String, _ usage: Usage) -> [Value.Member] {
        guard usage == .parameter else { return [.init("type", .string(type))] }
        return [.init("type", [.string(type), "string"]), .init("pattern", .string(pattern))]
    }

    private static func quantity(_ rule: SchemaRule, _ usage: Usage) -> [Value.Member] {
        let pattern = Value.Member("pattern", .string(rule.format == .size ? sizePattern : durationPattern))
        return switch usage {
        case .result: [.init("type", "integer")]
        case .json: [.init("type", ["integer", "string"]), .init("minimum", 0), pattern]
        case .text: [.init("type", "string"), pattern]
        // Nothing needs no unit, as in the config.
        case .parameter: [.init("type", ["string", "integer"]), .init("minimum", 0), .init("maximum", 0), pattern]
        }
    }

    private static func limits(_ rule: SchemaRule) -> [Value.Member] {
        (rule.minimum.map { [.init("minimum", $0)] } ?? []) + (rule.maximum.map { [.init("maximum", $0)] } ?? [])
    }

    private static func choices(_ rule: SchemaRule, _ usage: Usage, _ isRequired: Bool) -> [Value] {
        guard usage == .parameter else { return rule.choices }
        return rule.choices
            + (rule.choices.contains { $0.string == nil } ? rule.choices.map { .string(rule.text($0)) } : [])
            + (isRequired ? [] : [.null])
    }

    private static func allowNull(_ members: inout [Value.Member]) {
        guard let index = members.firstIndex(where: { $0.key == "type" }) else { return }
        members[index].value = .list((members[index].value.list ?? [members[index].value]) + ["null"])
    }
}
