/// What keeps the machine from doing something: a file that logind hands out, and that holds for as long as it is open.
///
/// One for each thing that waits: logind before 257 asks polkit once for all that one inhibitor is for, and for more than one
/// thing that is an action which nobody without a session may do.
package enum LoginInhibitor: Sendable, Hashable {
    /// Sleep waits for the host for as long as logind lets it.
    case sleep
    /// So does shutdown.
    case shutdown
    /// The power key is not logind's.
    case powerKey

    var what: String {
        switch self {
        case .sleep: "sleep"
        case .shutdown: "shutdown"
        case .powerKey: "handle-power-key"
        }
    }

    var mode: String {
        switch self {
        case .sleep, .shutdown: "delay"
        case .powerKey: "block"
        }
    }

    /// What `systemd-inhibit --list` shows.
    var why: String {
        switch self {
        case .sleep, .shutdown: "files are finished and devices let go first"
        case .powerKey: "the media host follows the power key"
        }
    }

    /// What polkit must allow the host's user.
    var action: String {
        switch self {
        case .sleep: "org.freedesktop.login1.inhibit-delay-sleep"
        case .shutdown: "org.freedesktop.login1.inhibit-delay-shutdown"
        case .powerKey: "org.freedesktop.login1.inhibit-handle-power-key"
        }
    }

    /// The key of `login:` that does without it.
    var way: String {
        switch self {
        case .sleep: "sleep: ignore"
        case .shutdown: "bus: off"
        case .powerKey: "power-key: ignore"
        }
    }
}
