/// Ring and live position at one moment.
struct Timeline: Sendable {
    var position: LivePosition
    /// Media time of the oldest key frame and of the newest end.
    var oldest: Int64
    /// Where the next frame belongs, and the next segment may start.
    var newest: Int64
    var isEmpty: Bool
    var epoch: UInt32
    /// The index that the next segment gets: how many there were so far.
    var nextIndex: UInt64
    var segments: [Segment]
    /// The number of the first of them in the segment table.
    var firstNumber: UInt64 = 0
    var gaps: [Gap]

    /// Where the viewer is between the oldest frame (0) and the live edge (1).
    func scrub(at time: Int64) -> Double? {
        guard !isEmpty, let now = position.now(at: time), let place = position.position(at: time, oldest: oldest) else {
            return nil
        }
        return now > oldest ? min(1, max(0, Double(place - oldest) / Double(now - oldest))) : 1
    }
}
