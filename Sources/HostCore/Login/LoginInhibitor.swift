/// What keeps the machine from doing something: a file that logind hands out, and that holds for as long as it is open.
package enum LoginInhibitor: Sendable, Hashable {
    /// Shutdown, and sleep unless the config ignores it, wait for the host for as long as logind lets them.
    case delay(sleep: Bool)
    /// The power key is not logind's.
    case powerKey

    var what: String {
        switch self {
        case .delay(let sleep): sleep ? "sleep:shutdown" : "shutdown"
        case .powerKey: "handle-power-key"
        }
    }

    var mode: String {
        switch self {
        case .delay: "delay"
        case .powerKey: "block"
        }
    }

    /// What `systemd-inhibit --list` shows.
    var why: String {
        switch self {
        case .delay: "files are finished and devices let go first"
        case .powerKey: "the media host follows the power key"
        }
    }

    var isDelay: Bool {
        switch self {
        case .delay: true
        case .powerKey: false
        }
    }
}
