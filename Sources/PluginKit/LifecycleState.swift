import PluginABI

/// The reasons to be quiet that hold now. Empty: run. Unknown bits are legal.
public struct LifecycleState: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let paused = LifecycleState(rawValue: UInt64(MH_LIFECYCLE_PAUSED))
    public static let shuttingDown = LifecycleState(rawValue: UInt64(MH_LIFECYCLE_SHUTTING_DOWN))
}
