/// What a new plugin is written in.
public enum ScaffoldLanguage: String, Sendable, CaseIterable {
    case swift, c

    /// Where an installed tree has the template.
    var installed: String { "share/mediahost/templates/\(rawValue)" }

    /// Where a checkout has it: the templates are examples that CI builds as they are.
    var example: String {
        switch self {
        case .swift: "examples/frame-counter"
        case .c: "examples/frame-counter-c"
        }
    }
}
