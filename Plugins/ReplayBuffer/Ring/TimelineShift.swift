/// Puts what a new process records behind what a former one left: the host's media time begins anew, the ring's goes on.
///
/// Pure: media time in nanoseconds.
struct TimelineShift: Equatable, Sendable {
    /// What is added to the times of frames.
    private var shift: Int64 = 0
    /// Where the next frame belongs, while the shift is not known.
    private var end: Int64?

    /// The media time of a host that has just started. What comes later is of one that was there before.
    private static let early: Int64 = 10_000_000_000

    init() {}

    /// - Parameter end: of all that was kept.
    init(after end: Int64) { self.end = end }

    /// What is to be added to the times of a frame; nil where that cannot be known before the next key frame.
    /// - Thread: stream.
    mutating func place(_ pts: Int64, isKey: Bool) -> Int64? {
        guard let end else { return shift }
        if pts < Self.early {
            // Its timeline has just begun, with 0: sound that begins later than the pictures goes on doing so.
            shift = end &- min(0, pts)
        } else if isKey {
            shift = end &- pts
        } else {
            return nil
        }
        self.end = nil
        return shift
    }
}
