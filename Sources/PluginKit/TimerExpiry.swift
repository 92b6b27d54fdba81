import PluginABI

/// What one call of a timer stands for.
public struct TimerExpiry: Hashable, Sendable {
    /// How many of its times are over: 1, or more where a repeating timer missed some.
    public var expirations: UInt64
    /// The first of them, on the timer's clock.
    public var due: Timestamp
    /// Since the last of them.
    public var late: Duration

    init(_ expiry: mh_timer_expiry_1) {
        expirations = expiry.expirations
        due = Timestamp(nanoseconds: expiry.due)
        late = .nanoseconds(expiry.late)
    }
}
