/// A key of the configuration as a reader of it sees it.
struct FieldDescription: Sendable {
    var key: String
    /// One line: what it means.
    var summary: String
    var kind: FieldKind
    /// What holds where the key is not written, as it would be written; nil where nothing does.
    var defaultText: String?
    /// A value to show where there is no default.
    var example: String?
    var isRequired: Bool = false
}
