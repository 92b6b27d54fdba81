/// A parameter that does not fit its schema.
public struct ValueSchemaError: Error, Equatable {
    /// Names the key and the rule.
    public var message: String
    /// The valid keys or values, or the form.
    public var help: String?
    public var suggestion: String?
    /// The key that does not fit; keys of inner maps are joined with dots.
    public var field: String?

    public init(message: String, help: String? = nil, suggestion: String? = nil, field: String? = nil) {
        self.message = message
        self.help = help
        self.suggestion = suggestion
        self.field = field
    }
}

extension ValueSchemaError: CustomStringConvertible {
    /// One line for people: the rule, the nearest valid name, the valid ones.
    public var description: String {
        message + (suggestion.map { "; did you mean \"\($0)\"?" } ?? "") + (help.map { " (\($0))" } ?? "")
    }
}
