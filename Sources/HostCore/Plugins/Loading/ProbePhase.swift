/// How far the probe of a library has come: said before each step, so that the last one is known where it does not end.
enum ProbePhase: String, Sendable, CaseIterable {
    /// Mapping it runs its constructors, and those of the libraries it needs.
    case load
    case entry
    case initialise = "init"
    case factory = "get_factory"
    case descriptors

    /// "in init"
    var place: String {
        switch self {
        case .load: "while it was mapped, in a constructor of it or of a library it needs"
        case .entry: "in its entry"
        case .initialise: "in init"
        case .factory: "in get_factory"
        case .descriptors: "while its descriptors were read"
        }
    }
}
