import PluginABI

/// What holds of the host's surroundings now. Empty: run. Unknown bits are legal.
public struct LifecycleState: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let paused = LifecycleState(rawValue: UInt64(MH_LIFECYCLE_PAUSED))
    public static let shuttingDown = LifecycleState(rawValue: UInt64(MH_LIFECYCLE_SHUTTING_DOWN))
    /// The machine is about to sleep.
    public static let suspended = LifecycleState(rawValue: UInt64(MH_LIFECYCLE_SUSPENDED))
    /// Something more important has the output.
    public static let interrupted = LifecycleState(rawValue: UInt64(MH_LIFECYCLE_INTERRUPTED))
    /// An interruption has ended, and the user is waited for.
    public static let waiting = LifecycleState(rawValue: UInt64(MH_LIFECYCLE_WAITING))
    /// The session is locked; the host is not quiet for that.
    public static let locked = LifecycleState(rawValue: UInt64(MH_LIFECYCLE_LOCKED))
    /// No audio output is there; the host is not quiet for that.
    public static let outputLost = LifecycleState(rawValue: UInt64(MH_LIFECYCLE_OUTPUT_LOST))
    /// Energy is to be saved; the host is not quiet for that.
    public static let lowPower = LifecycleState(rawValue: UInt64(MH_LIFECYCLE_LOW_POWER))

    /// Whether the host is to be quiet.
    public var isQuiet: Bool {
        !isDisjoint(with: [.paused, .shuttingDown, .suspended, .interrupted, .waiting])
    }
}
