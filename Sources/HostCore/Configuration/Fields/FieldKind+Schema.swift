internal import GStreamerKit

/// Kinds as JSON Schema says them.
extension FieldKind {
    var schema: Value {
        switch self {
        case .text: ["type": "string"]
        case .scalar: ["type": ["string", "number", "boolean"]]
        case .flag: orVariable(["type": "boolean"])
        case .choice(let names): orVariable(["enum": .list(names.map { .string($0) })])
        case .word(let word): ["const": .string(word)]
        case .integer(let range):
            orVariable([
                "type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound),
            ])
        case .number(let range):
            orVariable([
                "type": "number", "minimum": .double(range.lowerBound), "maximum": .double(range.upperBound),
            ])
        case .percent: ["$ref": "#/definitions/percent"]
        case .duration: ["$ref": "#/definitions/duration"]
        case .rate: ["$ref": "#/definitions/rate"]
        case .list(let item): ["type": "array", "items": item.schema]
        case .named(let form, let value):
            [
                "type": "object", "propertyNames": ["pattern": .string(form)],
                "additionalProperties": value.schema,
            ]
        case .map(let fields, let isOpen): object(fields, isOpen: isOpen)
        case .oneOf(let kinds): ["anyOf": .list(kinds.map(\.schema))]
        }
    }

    private func orVariable(_ schema: Value) -> Value { ["anyOf": [schema, ["$ref": "#/definitions/variable"]]] }

    private func object(_ fields: [FieldDescription], isOpen: Bool) -> Value {
        var members: [Value.Member] = [
            .init("type", "object"),
            .init("properties", .map(fields.map { .init($0.key, $0.schema) })),
        ]
        let required = fields.filter { $0.isRequired && $0.standIn == nil }.map { Value.string($0.key) }
        if !required.isEmpty { members.append(.init("required", .list(required))) }
        for field in fields where field.isRequired {
            guard let standIn = field.standIn else { continue }
            members.append(
                .init("anyOf", [["required": [.string(field.key)]], ["required": [.string(standIn)]]]))
        }
        if !isOpen { members.append(.init("additionalProperties", false)) }
        return .map(members)
    }
}

extension FieldDescription {
    var schema: Value {
        var members: [Value.Member] = [.init("description", .string(summary))]
        if let value = defaultValue { members.append(.init("default", value)) }
        // Draft 7 looks at nothing beside a reference.
        if let reference = kind.schema["$ref"] { return .map(members + [.init("allOf", [["$ref": reference]])]) }
        return .map(members + (kind.schema.members ?? []))
    }

    private var defaultValue: Value? {
        guard let defaultText else { return nil }
        switch defaultText {
        case "true": return true
        case "false": return false
        case "{}", "[]": return nil
        default: break
        }
        if case .number = kind { return Double(defaultText).map { .double($0) } }
        if case .integer = kind { return Int64(defaultText).map { .int($0) } }
        return .string(defaultText)
    }
}
