/// JSON Schema of the configuration file, for editors: completion, the meaning of a key under the pointer, early errors.
///
/// Written from the tables that read the file, so neither knows a key that the other does not.
public enum ConfigurationSchema {
    /// - Thread: any.
    public static func jsonText() -> String { JSONText.render(schema, pretty: true) + "\n" }

    static var schema: Value {
        let file = FieldKind.map(ConfigurationFields.file.descriptions, isOpen: false)
        return .map(
            [
                .init("$schema", "http://json-schema.org/draft-07/schema#"),
                .init("title", "mediahost configuration"),
            ] + (file.schema.members ?? []) + [.init("definitions", definitions)])
    }

    /// What many keys take. A variable may stand in for every value, or for a part of it.
    private static let definitions: Value = [
        "variable": ["type": "string", "pattern": "\\$\\{"],
        "duration": ["anyOf": [form("[0-9]+(\\.[0-9]+)? *(ns|us|ms|s|min|h)|0"), ["const": 0]]],
        "percent": form("[0-9]+(\\.[0-9]+)?%"),
        "rate": form("[0-9]+ +per +[0-9]+(\\.[0-9]+)?(ns|us|ms|s|min|h)"),
    ]

    private static func form(_ pattern: String) -> Value {
        ["type": "string", "pattern": .string("^(\(pattern))$|\\$\\{")]
    }
}
