public import GStreamerKit

/// How a pipeline comes back after an error or a stall: how soon, how often, and when it is left alone.
public struct RestartPolicy: Sendable, Equatable {
    /// From the failure to the first attempt.
    public var delay = ClockTime.seconds(1)
    /// Each further attempt waits this many times longer than the one before.
    public var backoff = 2.0
    /// No attempt waits longer.
    public var longestDelay = ClockTime.seconds(30)
    /// The share of a delay that chance adds or takes away, 0 to 1: boards that failed together do not come back together.
    public var jitter = 0.1
    /// More attempts than this within `period` are a crash loop: the pipeline has failed.
    public var limit = 5
    public var period = ClockTime.seconds(60)
    /// How long a crash loop is left alone before it may try again, as often as before; nil: for good.
    public var coolDown: ClockTime? = .seconds(300)

    public init() {}
}
