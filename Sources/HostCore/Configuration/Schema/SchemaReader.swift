/// Reads a schema from its JSON, and refuses what it would not check.
struct SchemaReader {
    private static let keywords = [
        "type", "properties", "required", "items", "enum", "default", "minimum", "maximum", "description", "format",
        "additionalProperties", "title", "$schema", "$id", "x-columns", "x-reserves",
    ]
    private static let types = ["object", "array", "string", "integer", "number", "boolean"]

    static func read(_ schema: Value, path: String) throws(ValueSchema.Broken) -> SchemaRule {
        func broken(_ message: String, _ keyword: String? = nil) -> ValueSchema.Broken {
            let spot = [path, keyword ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
            return ValueSchema.Broken(path: spot.isEmpty ? "(top)" : spot, message: message)
        }
        guard let members = schema.members else { throw broken("a schema must be an object") }
        for member in members where !keywords.contains(member.key) {
            let near = Suggestion.nearest(to: member.key, among: keywords).map { "; did you mean \(quoted($0))?" } ?? ""
            throw broken("unknown keyword \(quoted(member.key))\(near)")
        }
        guard let type = schema["type"]?.string, types.contains(type) else {
            throw broken("must be one of \(types.joined(separator: ", "))", "type")
        }
        if let more = schema["additionalProperties"], more.bool != false {
            throw broken("only false is supported: unknown keys are always errors", "additionalProperties")
        }
        var rule = SchemaRule(kind: try kind(type, schema, path: path, broken))
        if let name = schema["format"] {
            guard let format = name.string.flatMap({ SchemaFormat(rawValue: $0) }) else {
                let known = SchemaFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw broken("must be one of \(known)", "format")
            }
            guard format.type == type else {
                throw broken("\(quoted(format.rawValue)) goes with type \(quoted(format.type))", "format")
            }
            rule.format = format
        }
        if let reserves = schema["x-reserves"] {
            guard rule.format == .size, let flag = reserves.bool else {
                throw broken("is true or false, and goes with format \"size\"", "x-reserves")
            }
            rule.reservesMemory = flag
        }
        if let columns = schema["x-columns"] {
            guard case .array(let item) = rule.kind, case .object(let properties) = item.kind else {
                throw broken("goes with an array of objects", "x-columns")
            }
            for column in try list(columns, { broken("must be a list of keys", "x-columns") }) {
                guard let key = column.string, properties.contains(where: { $0.key == key }) else {
                    throw broken("names a key that the items do not have", "x-columns")
                }
            }
        }
        if let summary = schema["description"] {
            guard let text = summary.string else { throw broken("must be a text", "description") }
            rule.summary = text
        }
        // In this order: a default is checked against the rest.
        let bare = rule
        rule.minimum = try constant("minimum", schema, bare, broken)
        rule.maximum = try constant("maximum", schema, bare, broken)
        if let low = rule.minimum?.double, let high = rule.maximum?.double, low > high {
            throw broken("is below minimum", "maximum")
        }
        if let choices = schema["enum"] {
            guard let items = choices.list, !items.isEmpty else { throw broken("must be a list with values", "enum") }
            rule.choices = try items.map { item throws(ValueSchema.Broken) in
                try resolved(item, rule) { broken($0, "enum") }
            }
        }
        if let value = schema["default"] {
            rule.defaultValue = try resolved(value, rule) { broken($0, "default") }
        }
        return rule
    }

    private static func kind(
        _ type: String, _ schema: Value, path: String, _ broken: (String, String?) -> ValueSchema.Broken
    ) throws(ValueSchema.Broken) -> SchemaRule.Kind {
        func child(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        for (keyword, owner) in [("properties", "object"), ("required", "object"), ("items", "array")]
        where schema[keyword] != nil && owner != type {
            throw broken("goes with type \(quoted(owner))", keyword)
        }
        for keyword in ["minimum", "maximum"] where schema[keyword] != nil && type != "integer" && type != "number" {
            throw broken("goes with numbers", keyword)
        }
        switch type {
        case "object":
            guard let properties = (schema["properties"] ?? [:]).members else {
                throw broken("must be an object", "properties")
            }
            var required: [String] = []
            for item in try list(schema["required"], { broken("must be a list of keys", "required") }) {
                guard let key = item.string, properties.contains(where: { $0.key == key }) else {
                    throw broken("names a key that properties do not have", "required")
                }
                required.append(key)
            }
            var result: [SchemaRule.Property] = []
            for property in properties {
                let rule = try read(property.value, path: child("properties.\(property.key)"))
                result.append(.init(key: property.key, rule: rule, isRequired: required.contains(property.key)))
            }
            return .object(result)
        case "array":
            guard let items = schema["items"] else { throw broken("an array needs items", "items") }
            return .array(try read(items, path: child("items")))
        case "integer": return .integer
        case "number": return .number
        case "boolean": return .boolean
        default: return .string
        }
    }

    private static func list(
        _ value: Value?, _ broken: () -> ValueSchema.Broken
    ) throws(ValueSchema.Broken) -> [Value] {
        guard let value else { return [] }
        guard let items = value.list else { throw broken() }
        return items
    }

    private static func constant(
        _ keyword: String, _ schema: Value, _ rule: SchemaRule, _ broken: (String, String?) -> ValueSchema.Broken
    ) throws(ValueSchema.Broken) -> Value? {
        guard let value = schema[keyword] else { return nil }
        return try resolved(value, rule) { broken($0, keyword) }
    }

    /// A value of the schema itself. Quantities may be texts with a unit, or plain nanoseconds and bytes.
    private static func resolved(
        _ value: Value, _ rule: SchemaRule, _ broken: (String) -> ValueSchema.Broken
    ) throws(ValueSchema.Broken) -> Value {
        var resolver = SchemaResolver(names: nil)
        var input = SchemaInput(value)
        if rule.format == .duration || rule.format == .size, case .int(let number) = value, number != 0 {
            input.content = .scalar("\(number)" + (rule.format == .duration ? "ns" : "B"))
        }
        guard let result = resolver.resolve(input, rule, path: ""), resolver.problems.diagnostics.isEmpty else {
            throw broken(resolver.problems.diagnostics.first?.message ?? "is no value")
        }
        return result
    }
}
