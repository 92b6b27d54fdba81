import PluginABI

/// A clock of the host to wait by.
public enum ClockKind: Hashable, Sendable, CaseIterable {
    /// Stops in suspend, and so do its timers.
    case monotonic
    /// Goes on in suspend; what became due meanwhile comes right after it.
    case boottime
    /// Since 1970; somebody may set it at any time.
    case realtime
    /// As `boottime`, and a machine that sleeps is woken for it.
    case boottimeAlarm
    /// As `realtime`, the same.
    case realtimeAlarm

    var abi: mh_clock_id {
        switch self {
        case .monotonic: mh_clock_id(truncatingIfNeeded: MH_CLOCK_MONOTONIC)
        case .boottime: mh_clock_id(truncatingIfNeeded: MH_CLOCK_BOOTTIME)
        case .realtime: mh_clock_id(truncatingIfNeeded: MH_CLOCK_REALTIME)
        case .boottimeAlarm: mh_clock_id(truncatingIfNeeded: MH_CLOCK_BOOTTIME_ALARM)
        case .realtimeAlarm: mh_clock_id(truncatingIfNeeded: MH_CLOCK_REALTIME_ALARM)
        }
    }
}
