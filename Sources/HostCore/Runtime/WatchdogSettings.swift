public import GStreamerKit

/// How often the service manager wants a sign of life.
public struct WatchdogSettings: Sendable, Equatable {
    /// Without one for this long it ends the process.
    public var timeout: ClockTime

    /// From `$WATCHDOG_USEC`, where the manager set it for this process (`$WATCHDOG_PID`, if given); else nil.
    public init?(environment: [String: String], process: Int32) {
        guard let text = environment["WATCHDOG_USEC"], let microseconds = Int64(text), microseconds > 0,
            microseconds <= Int64.max / 1000
        else { return nil }
        if let owner = environment["WATCHDOG_PID"], owner != String(process) { return nil }
        timeout = ClockTime(nanoseconds: microseconds * 1000)
    }

    /// Half of the timeout, as sd_watchdog_enabled(3) advises.
    public var interval: ClockTime { ClockTime(nanoseconds: timeout.nanoseconds / 2) }
}
