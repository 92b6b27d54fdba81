/// What the buffers of a running pipeline say about it.
enum FlowHealth: Sendable, Equatable {
    /// These have had no buffer since it was told to play.
    case starting(waitingFor: [String])
    case flowing
    /// These are silent, others are not.
    case degraded(silent: [String])
    /// All are silent.
    case stalled(silent: [String])
}
