/// What holds of the host's surroundings now, as a set of reasons; empty means run. Told to plugins by level, never as a bare edge.
///
/// Some of them make the host quiet, the others only matter to pipelines and plugins that look at them. The raw values are
/// those of the plugin ABI (mediahost/lifecycle.h).
public struct DesiredState: OptionSet, Sendable, Hashable {
    public var rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Somebody asked for it: a signal, the API, the command line.
    public static let paused = DesiredState(rawValue: 1 << 0)
    /// The host is about to end.
    public static let shuttingDown = DesiredState(rawValue: 1 << 1)
    /// The session is locked. Lock is not pause: a locked host may go on capturing.
    public static let locked = DesiredState(rawValue: 1 << 2)
    /// The machine is about to sleep.
    public static let suspended = DesiredState(rawValue: 1 << 3)
    /// Something more important has the output: a call, an announcement.
    public static let interrupted = DesiredState(rawValue: 1 << 4)
    /// An interruption ended without the word to go on: the output is open again, and the user is waited for.
    public static let waiting = DesiredState(rawValue: 1 << 5)
    /// No audio output is there.
    public static let outputLost = DesiredState(rawValue: 1 << 6)
    /// Energy is to be saved.
    public static let lowPower = DesiredState(rawValue: 1 << 7)

    /// Those that make the host quiet.
    public static let quieting: DesiredState = [.paused, .shuttingDown, .suspended, .interrupted, .waiting]

    /// Those whose arrival is worth asking everybody about, also while the host is quiet for another: what is to be put away
    /// before a sleep or the end is more than before a pause. `waiting` is what is left of an interruption; it asks for no more.
    static let pressing: DesiredState = quieting.subtracting(.waiting)

    /// What it is quiet for.
    public var reasons: DesiredState { intersection(.quieting) }

    /// Whether the host is to be quiet.
    public var isQuiet: Bool { !isDisjoint(with: .quieting) }

    /// In the order of their bits, as the API, events and the config name them.
    static let named: [(DesiredState, String)] = [
        (.paused, "paused"), (.shuttingDown, "shutting-down"), (.locked, "locked"), (.suspended, "suspended"),
        (.interrupted, "interrupted"), (.waiting, "waiting"), (.outputLost, "output-lost"), (.lowPower, "low-power"),
    ]

    public var names: [String] { Self.named.filter { contains($0.0) }.map(\.1) }
}
