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
    var isRequired = false
    /// A key that may be there instead of a required one.
    var standIn: String?
    /// What to do where a required key is missing; nil: its summary says it.
    var remedy: String?
}
