/// The clocks that time can be told and waited for by. The numbers are those of the ABI.
public enum ClockName: Int32, Sendable, CaseIterable {
    /// Stops in suspend, is never set.
    case monotonic = 0
    /// Goes on in suspend.
    case boottime = 1
    /// Since 1970; can be set at any moment.
    case realtime = 2
}
