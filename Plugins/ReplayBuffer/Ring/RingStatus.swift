/// What a ring holds and what it could not keep.
struct RingStatus: Equatable, Sendable {
    var frames = 0
    var gops = 0
    var bytes = 0
    /// Media time of the oldest key frame and of the newest end; the same where the ring is empty.
    var oldest: Int64 = 0
    var newest: Int64 = 0
    var drops = RingDrops()
}

/// Frames that never entered the ring or had to leave it before their GOP was complete.
struct RingDrops: Equatable, Sendable {
    /// Frames before the first key frame of a run, or after a dropped one.
    var withoutKey = 0
    /// GOPs larger than all of the memory, and their frames so far.
    var oversizedGOPs = 0
    var oversizedFrames = 0
    /// GOPs that found no room because a save still holds the oldest bytes, and their frames so far.
    var heldGOPs = 0
    var heldFrames = 0
}
