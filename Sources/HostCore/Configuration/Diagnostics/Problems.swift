/// Collects what is wrong with a configuration, so that a user learns all of it in one go.
struct Problems {
    private(set) var diagnostics: [Diagnostic] = []
    /// Places already reported whose text is a stand-in: what else is wrong there follows from the first error.
    private var standIns: [SourceSpan] = []

    /// While something is read on behalf of another place: what is found within `span` gets the note.
    struct Context {
        var span: SourceSpan
        var note: Diagnostic.Note
    }

    var context: Context?

    /// Past this many nobody reads on.
    static let most = 200

    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    var errorCount: Int { diagnostics.count { $0.severity == .error } }

    mutating func error(at span: SourceSpan?, _ message: String, help: String? = nil, suggestion: String? = nil) {
        add(Diagnostic(.error, at: span, message, help: help, suggestion: suggestion))
    }

    mutating func warning(at span: SourceSpan?, _ message: String, help: String? = nil, suggestion: String? = nil) {
        add(Diagnostic(.warning, at: span, message, help: help, suggestion: suggestion))
    }

    /// An error whose text in the tree is replaced by a stand-in from here on.
    mutating func standInError(at span: SourceSpan, _ message: String, help: String? = nil, suggestion: String? = nil) {
        error(at: span, message, help: help, suggestion: suggestion)
        standIns.append(span)
    }

    mutating func add(_ diagnostic: Diagnostic) {
        guard diagnostics.count < Self.most else { return }
        var diagnostic = diagnostic
        if let context, let span = diagnostic.span, context.span.contains(span) {
            diagnostic.note = diagnostic.note ?? context.note
        }
        // What is read for several places is wrong once.
        let isKnown = diagnostics.contains {
            $0.span == diagnostic.span && $0.message == diagnostic.message && $0.severity == diagnostic.severity
        }
        if isKnown { return }
        if let span = diagnostic.span, standIns.contains(where: { $0.overlaps(span) }) { return }
        diagnostics.append(diagnostic)
    }

    mutating func add(_ more: [Diagnostic]) {
        for diagnostic in more { add(diagnostic) }
    }

    /// Takes over what another collector found, stand-ins included.
    mutating func merge(_ other: Problems) {
        add(other.diagnostics)
        standIns += other.standIns
    }

    /// File by file, each in its order; what has no place comes first.
    var inFileOrder: [Diagnostic] { inOrder(of: []) }

    /// - Parameter files: the order of the files; others follow, in the order of what was found.
    func inOrder(of files: [SourceFile]) -> [Diagnostic] {
        var ranks: [String: Int] = [:]
        for path in files.map(\.path) + diagnostics.compactMap({ $0.span?.file.path }) where ranks[path] == nil {
            ranks[path] = ranks.count
        }
        return diagnostics.enumerated().sorted {
            let left = Self.place($0.element, ranks)
            let right = Self.place($1.element, ranks)
            return left != right ? left < right : $0.offset < $1.offset
        }.map(\.element)
    }

    private static func place(_ diagnostic: Diagnostic, _ ranks: [String: Int]) -> (Int, Int) {
        guard let span = diagnostic.span else { return (-1, -1) }
        return (ranks[span.file.path] ?? 0, span.range.lowerBound)
    }
}
