/// How much of GStreamer's log is let through: a place in the source that complains with every buffer must cost nothing.
///
/// Per window of ten seconds at most `perSite` messages of one place, and `overall` of all. Allocates once, in init.
struct DebugRateLimit: Sendable {
    static let window: Int64 = 10_000_000_000
    static let perSite: UInt8 = 5
    static let overall = 100

    private struct Site: Sendable {
        var id = 0
        var admitted: UInt8 = 0
    }

    // A slot each; two places that share one only make each other's count begin anew.
    private var sites = [Site](repeating: Site(), count: 128)
    private var admitted = 0
    private var windowEnd = Int64.min

    /// Whether a message of a place in the source passes now. - Parameter now: monotonic nanoseconds.
    mutating func admits(_ site: Int, now: Int64) -> Bool {
        if now >= windowEnd {
            windowEnd = now + Self.window
            admitted = 0
            for index in sites.indices { sites[index].admitted = 0 }
        }
        guard admitted < Self.overall else { return false }
        let slot = Int(UInt(bitPattern: site) % UInt(sites.count))
        if sites[slot].id != site { sites[slot] = Site(id: site) }
        guard sites[slot].admitted < Self.perSite else { return false }
        sites[slot].admitted += 1
        admitted += 1
        return true
    }
}
