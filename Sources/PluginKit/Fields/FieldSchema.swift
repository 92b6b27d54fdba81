/// What a value must be, in the JSON Schema subset of docs/plugin-abi.md.
public struct FieldSchema: Hashable, Sendable {
    private(set) var members: [PluginValue.Member]

    private init(_ type: String, _ more: PluginValue.Member...) {
        members = [PluginValue.Member("type", .string(type))] + more
    }

    public static let boolean = FieldSchema("boolean")
    public static let integer = FieldSchema("integer")
    public static let number = FieldSchema("number")
    public static let text = FieldSchema("string")
    public static let duration = FieldSchema("integer", .init("format", "duration"))
    public static let size = FieldSchema("integer", .init("format", "size"))

    /// - Parameter format: `pad`, `element`, `pipeline`, `instance`, `path`, `device`, `uri` or `secret`.
    public static func text(_ format: String) -> FieldSchema { FieldSchema("string", .init("format", .string(format))) }

    public static func choice(of texts: [String]) -> FieldSchema {
        FieldSchema("string", .init("enum", .list(texts.map { .string($0) })))
    }

    public static func list(of element: FieldSchema) -> FieldSchema {
        FieldSchema("array", .init("items", .map(element.members)))
    }

    static func record(_ properties: [PluginValue.Member], required: [String]) -> FieldSchema {
        var schema = FieldSchema("object", .init("properties", .map(properties)))
        if !required.isEmpty { schema.add("required", .list(required.map { .string($0) })) }
        schema.add("additionalProperties", false)
        return schema
    }

    public func limited<Bound>(_ limits: Limits<Bound>?) -> FieldSchema {
        var schema = self
        if let least = limits?.least { schema.add("minimum", least.literal) }
        if let most = limits?.most { schema.add("maximum", most.literal) }
        return schema
    }

    mutating func add(_ keyword: String, _ value: PluginValue) { members.append(PluginValue.Member(keyword, value)) }

    /// Its JSON, in one line.
    var json: String { JSONWriter.text(.map(members)) }
}
