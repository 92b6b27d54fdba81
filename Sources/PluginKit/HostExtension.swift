import PluginABI

/// The id of an ability of the host, as a descriptor requires it.
public struct HostExtension: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    public static let clock = HostExtension(rawValue: MH_EXT_CLOCK)
    public static let commands = HostExtension(rawValue: MH_EXT_COMMANDS)
    /// Rejections that name a parameter; `PluginError.key` is not told without it.
    public static let commands2 = HostExtension(rawValue: MH_EXT_COMMANDS_2)
    public static let config = HostExtension(rawValue: MH_EXT_CONFIG)
    public static let events = HostExtension(rawValue: MH_EXT_EVENTS)
    public static let lifecycle = HostExtension(rawValue: MH_EXT_LIFECYCLE)
    public static let log = HostExtension(rawValue: MH_EXT_LOG)
    public static let tap = HostExtension(rawValue: MH_EXT_TAP)
    public static let value = HostExtension(rawValue: MH_EXT_VALUE)
    public static let worker = HostExtension(rawValue: MH_EXT_WORKER)
}
