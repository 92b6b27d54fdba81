/// One line of a table: the same thing measured on both sides, in turns.
struct Row: Encodable {
    var name: String
    var what: String
    var unit: String
    var mediahost: Series
    /// What it is compared with, or nil for a figure that stands alone.
    var peerName: String?
    var peer: Series?

    /// Median beside median.
    var ratio: Double? {
        guard let peer, peer.median > 0 else { return nil }
        return mediahost.median / peer.median
    }
}
