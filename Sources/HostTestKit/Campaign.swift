internal import Glibc

/// The size and seed of a randomised suite: small by itself, full size from `make campaign`.
///
/// ```swift
/// var campaign = Campaign(rounds: 1000)   // prints its seed when a test records an issue with `campaign.note`
/// ```
public struct Campaign: Sendable, RandomNumberGenerator {
    public let rounds: Int
    public let seed: UInt64
    private var state: UInt64

    /// - Parameter rounds: how many `make test` runs; `MEDIAHOST_CAMPAIGN_N` overrides it, `MEDIAHOST_SEED` the seed.
    ///   `MEDIAHOST_CAMPAIGN_MOST` is a bound for it, where each round is dear.
    public init(rounds: Int) {
        func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
        let most = number("MEDIAHOST_CAMPAIGN_MOST").map(Int.init(clamping:)) ?? .max
        self.rounds = number("MEDIAHOST_CAMPAIGN_N").map(Int.init(clamping:)) ?? min(rounds, most)
        var system = SystemRandomNumberGenerator()
        seed = number("MEDIAHOST_SEED") ?? system.next() % 1_000_000_000
        state = seed
    }

    /// What to say with a failure.
    public var note: String { "seed \(seed): run again with MEDIAHOST_SEED=\(seed)" }

    /// The numbers for one of several workers: the same for the same seed, others than its neighbours'.
    public func worker(_ number: Int) -> Campaign {
        var own = self
        own.state = seed &+ UInt64(number)
        return own
    }

    /// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
