/// Which pictures are shown to a viewer who goes back: each in turn where the output keeps up, else as many as it can.
///
/// A picture needs all from its key frame on, so a later one of a GOP costs more than an earlier one. An output that takes longer
/// for one than the viewer for a GOP is given key frames, more of them each time; then it is tried again.
///
/// Pure.
struct ReversePace: Equatable, Sendable {
    /// The end of what is sent for the present picture.
    private(set) var target: Int64?
    /// The newest of it that was sent; once all was, where the picture begins.
    private var reached: Int64?
    /// Its key frame.
    private(set) var key: UInt64?
    /// Key frames that are still to be shown alone, and how many that was the last time.
    private var (alone, lastAlone) = (0, 0)
    private static let mostAlone = 32

    /// The viewer has come to `position`, and the output has taken all before. Where the key frame is gone, all is shown anew.
    /// - Returns: whether there is a picture to be shown that was not.
    mutating func choose(_ position: Int64, _ ring: PlaybackCursor.Ring) -> Bool {
        guard let found = ring.key else { return false }
        if let reached, let key, key >= ring.firstKey, position >= reached { return false }
        if let key, let before = ring.keyBefore, found < before, found < key {
            lastAlone = min(Self.mostAlone, max(1, 2 * lastAlone))
            alone = lastAlone
        } else if key == found {
            lastAlone = 0
        }
        (key, reached) = (found, nil)
        target = position
        if alone > 0 {
            alone -= 1
            target = ring.keyPTS
        }
        return true
    }

    /// The rest of it is gone.
    mutating func giveUp() { reached = nil }

    mutating func sent(_ pts: Int64) {
        if let target, pts <= target { reached = max(reached ?? pts, pts) }
    }
}
