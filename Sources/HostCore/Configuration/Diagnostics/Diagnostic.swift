/// One thing to tell the user about a file: what is wrong, where, and what to do.
public struct Diagnostic: Sendable, Equatable {
    public enum Severity: String, Sendable {
        case error
        case warning
    }

    /// A second place that has to do with it.
    public struct Note: Sendable, Equatable {
        public var span: SourceSpan
        /// Lower case, no full stop.
        public var message: String

        public init(at span: SourceSpan, _ message: String) {
            self.span = span
            self.message = message
        }
    }

    public var severity: Severity
    /// Nil where no file is concerned, or the file could not be read.
    public var span: SourceSpan?
    /// Lower case, no full stop.
    public var message: String
    /// The rule that was broken, or how to mend it.
    public var help: String?
    /// The valid name the user probably meant.
    public var suggestion: String?
    public var note: Note?

    public init(
        _ severity: Severity, at span: SourceSpan?, _ message: String, help: String? = nil, suggestion: String? = nil
    ) {
        self.severity = severity
        self.span = span
        self.message = message
        self.help = help
        self.suggestion = suggestion
    }
}
