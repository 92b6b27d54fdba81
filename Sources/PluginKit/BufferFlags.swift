import PluginABI

/// Unknown bits are legal.
public struct BufferFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Needs earlier buffers to be decoded.
    public static let delta = BufferFlags(rawValue: UInt32(MH_BUFFER_DELTA))
    /// Carries a codec header.
    public static let header = BufferFlags(rawValue: UInt32(MH_BUFFER_HEADER))
    /// Does not follow from the buffer before.
    public static let discontinuity = BufferFlags(rawValue: UInt32(MH_BUFFER_DISCONT))
    public static let droppable = BufferFlags(rawValue: UInt32(MH_BUFFER_DROPPABLE))
}
