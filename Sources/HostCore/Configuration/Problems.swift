/// Collects what is wrong with a configuration, so that a user learns all of it in one go.
struct Problems {
    private(set) var diagnostics: [Diagnostic] = []
    /// Places already reported whose text is a stand-in: what else is wrong there follows from the first error.
    private var standIns: [SourceSpan] = []

    /// Past this many nobody reads on.
    static let most = 200

    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

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
        guard diagnostics.count < Self.most, !diagnostics.contains(diagnostic) else { return }
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

    /// In the order of the file; what has no place comes first.
    var inFileOrder: [Diagnostic] {
        diagnostics.enumerated().sorted {
            let left = $0.element.span?.range.lowerBound ?? -1
            let right = $1.element.span?.range.lowerBound ?? -1
            return left != right ? left < right : $0.offset < $1.offset
        }.map(\.element)
    }
}
