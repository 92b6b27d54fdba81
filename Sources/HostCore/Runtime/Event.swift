public import GStreamerKit

/// Something that happened, as plugins and API clients are told of it.
public struct Event: Sendable, Equatable {
    /// Counts from 1 without gaps while the host runs.
    public var sequence: UInt64
    public var name: String
    /// "host", or the name of a pipeline or an instance.
    public var source: String
    public var payload: Value
    public var monotonic: ClockTime
    public var realtime: ClockTime
    /// The event this one follows from.
    public var cause: UInt64?
    /// Length of the chain of causes.
    public var depth: UInt32
}
