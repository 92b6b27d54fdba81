public import GStreamerKit

/// One entry under `inputs:`: a device with keys, and what a press of one is called.
public struct InputSettings: Sendable, Equatable {
    public var name: String
    /// A path that may appear later.
    public var device = ""
    /// Codes of the keys that are told; nil: all.
    public var keys: Set<UInt16>?
    /// Released after this long or later it was a long press.
    public var long = ClockTime.milliseconds(600)
    /// Held for this long it is told while it is still pressed; nil: never.
    public var hold: ClockTime? = .seconds(2)
    /// Whether nobody else gets its keys.
    public var grab = false

    public init(_ name: String) { self.name = name }
}
