/// What a cell of a table means to its reader; a terminal shows it as a colour.
public enum TextStyle: Sendable, Equatable {
    case plain, heading, good, warning, bad, faint

    /// The text as a terminal with colours shows it. Takes no more columns than before.
    func painted(_ text: String) -> String {
        guard let code, !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    private var code: String? {
        switch self {
        case .plain: nil
        case .heading: "1"
        case .good: "32"
        case .warning: "33"
        case .bad: "1;31"
        case .faint: "2"
        }
    }

    /// By the health of a pipeline.
    static func of(health: String) -> TextStyle {
        switch health {
        case "good": .good
        case "waiting", "degraded": .warning
        case "bad": .bad
        default: .faint
        }
    }
}
