internal import GStreamerKit

/// How many events an instance may post: a bucket that fills at a steady rate. The decision without a clock.
struct PostLimit: Sendable {
    /// Far more than any plugin has to tell, and far less than keeps the control thread busy (10 µs for each).
    static let perSecond: Int64 = 500
    /// At once, after a quiet time.
    static let burst: Int64 = 1000

    private static let cost: Int64 = 1_000_000_000 / perSecond
    private static let capacity = burst * cost
    private var left = Self.capacity
    private var last: ClockTime?

    /// Whether one more may be posted now.
    mutating func take(at now: ClockTime) -> Bool {
        if let last, now > last {
            let gain = min(Self.capacity, (now - last).nanoseconds)
            left = min(Self.capacity, left + gain)
        }
        last = now
        guard left >= Self.cost else { return false }
        left -= Self.cost
        return true
    }
}
