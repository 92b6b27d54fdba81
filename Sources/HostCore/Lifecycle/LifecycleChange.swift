/// What plugins are told: the four moments of a pause, and a change that is none. The raw values are those of the plugin ABI (mediahost/lifecycle.h).
public enum LifecycleChange: Int32, Sendable, Equatable {
    case willPause = 0
    case didPause = 1
    case willResume = 2
    case didResume = 3
    /// Bits of the state have changed without a pause or a resume.
    case changed = 4

    /// The name of the event that tells of it.
    public var eventName: String {
        switch self {
        case .willPause: "lifecycle.will-pause"
        case .didPause: "lifecycle.did-pause"
        case .willResume: "lifecycle.will-resume"
        case .didResume: "lifecycle.did-resume"
        case .changed: "lifecycle.changed"
        }
    }

    /// Whether plugins must answer before it goes on.
    public var isAsked: Bool { self == .willPause || self == .willResume }
}
