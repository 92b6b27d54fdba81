import PluginABI

/// What a file descriptor is ready for.
public struct FileEvents: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(_ bit: Int) { rawValue = UInt32(bit) }

    /// Can be read without waiting; at the end of a stream, too.
    public static let readable = FileEvents(MH_FD_READABLE)
    public static let writable = FileEvents(MH_FD_WRITABLE)
    /// Told whether it was asked for or not.
    public static let error = FileEvents(MH_FD_ERROR)
    /// The other side is gone; there may be something left to read. Told whether it was asked for or not.
    public static let hungUp = FileEvents(MH_FD_HUNG_UP)
}
