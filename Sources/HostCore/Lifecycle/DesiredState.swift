/// The reasons to be quiet that hold now; empty means run. Told to plugins by level, never as a bare edge.
public struct DesiredState: OptionSet, Sendable, Hashable {
    public var rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Somebody asked for it: a signal, the API, the command line.
    public static let paused = DesiredState(rawValue: 1)
    /// The host is about to end.
    public static let shuttingDown = DesiredState(rawValue: 2)

    /// "paused", "shutting-down": as the API and events name them.
    public var names: [String] {
        var names: [String] = []
        if contains(.paused) { names.append("paused") }
        if contains(.shuttingDown) { names.append("shutting-down") }
        return names
    }
}
