internal import GStreamerKit

/// How often a pipeline has come back lately, and whether it may once more: a restart policy with its memory.
struct RestartBudget: Sendable, Equatable {
    enum Verdict: Sendable, Equatable {
        /// Without the policy's jitter.
        case retry(after: ClockTime)
        /// A crash loop.
        case exhausted
    }

    /// When attempts were granted, within the policy's period.
    private var granted: [ClockTime] = []
    /// Attempts since it last was well for a whole period.
    private(set) var streak = 0
    private var wellSince: ClockTime?

    /// It broke.
    mutating func fail(at now: ClockTime, _ policy: RestartPolicy) -> Verdict {
        if let wellSince, now - wellSince >= policy.period { streak = 0 }
        wellSince = nil
        granted.removeAll { now - $0 >= policy.period }
        guard granted.count < policy.limit else {
            granted = []
            streak = 0
            return .exhausted
        }
        granted.append(now)
        var delay = Double(policy.delay.nanoseconds)
        let longest = Double(max(policy.longestDelay, policy.delay).nanoseconds)
        for _ in 0..<streak where delay < longest { delay *= policy.backoff }
        streak += 1
        return .retry(after: ClockTime(nanoseconds: Int64(min(delay, longest))))
    }

    /// It carries everything again.
    mutating func isWell(at now: ClockTime) { wellSince = wellSince ?? now }

    /// A delay with chance added: `unit` is from -1 to 1.
    static func jittered(_ delay: ClockTime, _ policy: RestartPolicy, unit: Double) -> ClockTime {
        ClockTime(nanoseconds: max(0, Int64(Double(delay.nanoseconds) * (1 + policy.jitter * unit))))
    }
}
