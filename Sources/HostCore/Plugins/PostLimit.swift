internal import GStreamerKit

/// How many events an instance may post.
struct PostLimit: Sendable {
    /// More than any plugin has to tell (one that is busy tells of several at once), and a fiftieth of what keeps the control thread
    /// busy (10 µs for each).
    static let perSecond: Int64 = 2000
    /// At once, after a quiet time.
    static let burst: Int64 = 256

    private var bucket = TokenBucket(perSecond: Self.perSecond, burst: Self.burst)

    /// Whether one more may be posted now.
    mutating func take(at now: ClockTime) -> Bool { bucket.take(at: now) }
}
