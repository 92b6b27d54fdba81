/// Something that happened around the host and changes what it is to be; `LifecycleTriggers` knows the rules.
public enum LifecycleTrigger: Sendable, Equatable {
    /// The user's word: a signal, the API, the command line.
    case pause
    case resume
    case locked(Bool)
    case suspended(Bool)
    /// Something more important has the output from now on. Whoever begins names itself, so that several may overlap.
    case interruptionBegan(source: String)
    /// - shouldResume: whether the host goes on by itself, or waits for its user.
    case interruptionEnded(source: String, shouldResume: Bool)
    case lowPower(Bool)
    case outputLost(Bool)
    /// There is no way back.
    case shuttingDown
    /// Bits without rules of their own, also those that only a newer header names. An interruption has a source, and is
    /// neither begun nor ended this way.
    case bits(adding: DesiredState, removing: DesiredState)
}
