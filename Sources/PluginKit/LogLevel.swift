import PluginABI

/// How much a line of the log matters.
public enum LogLevel: Sendable {
    /// Needs the user.
    case error
    /// Goes on, but not as asked.
    case warning
    /// A change of state worth a line.
    case notice
    /// The rest.
    case debug

    var abi: mh_log_level {
        switch self {
        case .error: mh_log_level(truncatingIfNeeded: MH_LOG_ERROR)
        case .warning: mh_log_level(truncatingIfNeeded: MH_LOG_WARNING)
        case .notice: mh_log_level(truncatingIfNeeded: MH_LOG_NOTICE)
        case .debug: mh_log_level(truncatingIfNeeded: MH_LOG_DEBUG)
        }
    }
}
