/// Where the host keeps what outlives it.
public enum StateDirectory {
    /// systemd's `$STATE_DIRECTORY`, else `$XDG_STATE_HOME/mediahost`, else `~/.local/state/mediahost`; nil without any.
    public static func path(environment: [String: String]) -> String? {
        func absolute(_ name: String) -> String? {
            guard let value = environment[name], value.utf8.first == UInt8(ascii: "/") else { return nil }
            return value
        }
        // A unit may name several; the first is ours.
        if let directories = absolute("STATE_DIRECTORY") {
            return String(directories.prefix { $0 != ":" })
        }
        if let state = absolute("XDG_STATE_HOME") { return "\(state)/mediahost" }
        return absolute("HOME").map { "\($0)/.local/state/mediahost" }
    }
}
