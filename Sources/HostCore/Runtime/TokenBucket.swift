internal import GStreamerKit

/// How often something may happen: a steady rate, and more than that at once after a quiet time. The decision without a clock.
struct TokenBucket: Sendable {
    private let cost: Int64
    private let capacity: Int64
    private var left: Int64
    private var last: ClockTime?

    init(perSecond: Int64, burst: Int64) {
        cost = 1_000_000_000 / perSecond
        capacity = burst * cost
        left = capacity
    }

    /// So often in a period, all of it at once after a quiet one.
    init(_ count: Int64, per period: ClockTime) {
        cost = max(1, period.nanoseconds / max(1, count))
        capacity = max(1, count) * cost
        left = capacity
    }

    /// Whether it may happen once more now.
    mutating func take(at now: ClockTime) -> Bool {
        if let last, now > last { left = min(capacity, left + min(capacity, (now - last).nanoseconds)) }
        last = now
        guard left >= cost else { return false }
        left -= cost
        return true
    }
}
