/// One key of a schema, for help texts and forms.
public struct SchemaKey: Sendable, Equatable {
    /// Keys of inner maps are joined with dots: `video.pad`.
    public var path: String
    /// `duration`, `integer`, `list of text`, ...
    public var type: String
    public var summary: String
    public var isRequired: Bool
    /// As a user would write it.
    public var defaultText: String?
    /// The valid values, where only some are.
    public var choices: [String]
    /// "at least 1s", "1 to 10"; nil where there are none.
    public var limits: String?
    public var isSecret: Bool
}
