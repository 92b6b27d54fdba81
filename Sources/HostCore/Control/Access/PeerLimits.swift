internal import GStreamerKit

/// How often each address of the network may ask, and be wrong about its token. The decision without a clock.
///
/// Many may share one address: programs on the loopback, a house behind its router. So those who have shown what lets them in
/// are counted apart from those who have not, and whoever guesses keeps out only others who guess.
struct PeerLimits: Sendable {
    static let perSecond: Int64 = 100
    static let burst: Int64 = 200
    /// Wrong tokens in a minute; then no stranger at that address is listened to for a while.
    static let failures: Int64 = 10
    static let silence = ClockTime.seconds(30)
    /// Addresses that are remembered; those that were quiet for the longest go.
    static let most = 512

    private struct Peer {
        /// Of those who are let in.
        var known = TokenBucket(perSecond: PeerLimits.perSecond, burst: PeerLimits.burst)
        var strangers = TokenBucket(perSecond: PeerLimits.perSecond, burst: PeerLimits.burst)
        var wrong = TokenBucket(PeerLimits.failures, per: .seconds(60))
        var silentUntil: ClockTime?
        var last: ClockTime
    }

    private var peers: [String: Peer] = [:]

    var count: Int { peers.count }

    /// Somebody asks.
    /// - Parameter isKnown: whether it has shown what lets it in.
    /// - Returns: nil where it may, else how many seconds it has to wait.
    mutating func ask(_ address: String, isKnown: Bool, at now: ClockTime) -> Int? {
        var peer = peers[address] ?? Peer(last: now)
        peer.last = now
        defer {
            peers[address] = peer
            if peers.count > Self.most { forgetOne() }
        }
        if let end = peer.silentUntil, now >= end { peer.silentUntil = nil }
        if isKnown { return peer.known.take(at: now) ? nil : 1 }
        if let end = peer.silentUntil { return Int((end - now).nanoseconds / 1_000_000_000) + 1 }
        return peer.strangers.take(at: now) ? nil : 1
    }

    /// A token was wrong. - Returns: whether no stranger there is listened to from now on.
    mutating func wasWrong(_ address: String, at now: ClockTime) -> Bool {
        guard var peer = peers[address] else { return false }
        defer { peers[address] = peer }
        guard peer.wrong.take(at: now) else {
            peer.silentUntil = now + Self.silence
            return true
        }
        return false
    }

    private mutating func forgetOne() {
        // One that is being punished stays, unless all are.
        let quiet = peers.filter { $0.value.silentUntil == nil }
        let oldest = (quiet.isEmpty ? peers : quiet).min { $0.value.last < $1.value.last }
        if let oldest { peers[oldest.key] = nil }
    }
}
