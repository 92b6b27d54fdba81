internal import GStreamerKit

/// How often an instance may show something: a bucket that fills at a steady rate. The decision without a clock.
package struct NotificationLimit: Sendable {
    /// More than anybody reads, and as much as a number that goes up needs.
    package static let perSecond: Int64 = 5
    /// At once, after a quiet time.
    package static let burst: Int64 = 20
    /// How many may be open, on the screen and waiting for it.
    package static let most = 64

    private static let cost: Int64 = 1_000_000_000 / perSecond
    private static let capacity = burst * cost
    private var left = Self.capacity
    private var last: ClockTime?

    package init() {}

    /// Whether one more may be shown now.
    mutating func take(at now: ClockTime) -> Bool {
        if let last, now > last { left = min(Self.capacity, left + min(Self.capacity, (now - last).nanoseconds)) }
        last = now
        guard left >= Self.cost else { return false }
        left -= Self.cost
        return true
    }
}
