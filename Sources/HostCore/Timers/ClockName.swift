/// The clocks that time can be told and waited for by. The numbers are those of the ABI.
public enum ClockName: Int32, Sendable, CaseIterable {
    /// Stops in suspend, is never set.
    case monotonic = 0
    /// Goes on in suspend.
    case boottime = 1
    /// Since 1970; can be set at any moment.
    case realtime = 2
    /// As `boottime`; who waits for it wakes a machine that sleeps.
    case boottimeAlarm = 3
    /// As `realtime`, the same.
    case realtimeAlarm = 4

    /// Whether a wait on it wakes the machine.
    public var wakes: Bool { self == .boottimeAlarm || self == .realtimeAlarm }
    /// Whether it shows the time of day.
    public var isWall: Bool { self == .realtime || self == .realtimeAlarm }
}
