internal import GStreamerKit

/// How often each address of the network may ask, and be wrong about its token. The decision without a clock.
struct PeerLimits: Sendable {
    static let perSecond: Int64 = 100
    static let burst: Int64 = 200
    /// Wrong tokens in a minute; then nobody at that address is listened to for a while.
    static let failures: Int64 = 10
    static let silence = ClockTime.seconds(30)
    /// Addresses that are remembered; those that were quiet for the longest go.
    static let most = 512

    private struct Peer {
        var requests = TokenBucket(perSecond: PeerLimits.perSecond, burst: PeerLimits.burst)
        var wrong = TokenBucket(PeerLimits.failures, per: .seconds(60))
        var silentUntil: ClockTime?
        var last: ClockTime
    }

    private var peers: [String: Peer] = [:]

    var count: Int { peers.count }

    /// Somebody asks. - Returns: nil where it may, else how many seconds it has to wait.
    mutating func ask(_ address: String, at now: ClockTime) -> Int? {
        var peer = peers[address] ?? Peer(last: now)
        peer.last = now
        defer {
            peers[address] = peer
            if peers.count > Self.most { forgetOne() }
        }
        if let end = peer.silentUntil, now < end { return Int((end - now).nanoseconds / 1_000_000_000) + 1 }
        peer.silentUntil = nil
        return peer.requests.take(at: now) ? nil : 1
    }

    /// Its token was wrong. - Returns: whether it is not listened to from now on.
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
