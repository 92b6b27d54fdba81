import PluginKit

/// What a timer counts by.
enum Basis: String, Sendable, CaseIterable, FieldValue {
    /// Time that passes, suspend included. Setting the wall clock changes nothing.
    case elapsed
    /// A moment of the wall clock, whoever sets it.
    case wall
}
