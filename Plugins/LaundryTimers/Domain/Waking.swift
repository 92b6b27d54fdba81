import PluginKit

/// Whether the next timer wakes a machine that sleeps.
enum Waking: String, Sendable, CaseIterable, FieldValue {
    case on
    /// The config says so.
    case off
    /// It was tried: the machine has no clock that wakes it, or the host may not use it.
    case cannotWake = "cannot-wake"
}
