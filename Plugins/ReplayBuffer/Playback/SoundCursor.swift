/// Which frames of one sound track go to the output next: forwards and as fast as they were recorded, else none. Each is sent
/// once; after a jump those that still sound at the place come first.
///
/// Pure: it is told what the ring has, and says what to read.
struct SoundCursor: Equatable, Sendable {
    /// What the ring has, in sequence numbers.
    struct Ring: Equatable, Sendable {
        var tail: UInt64
        /// Nothing before it sounds at the viewer's place.
        var start: UInt64
        /// The PTS of the frame at `next`.
        var nextPTS: Int64?
        /// See `GOPRing`.
        var cuts: UInt64 = 0
        var lastCut: UInt64 = 0
    }

    private var jumps: UInt64?
    private(set) var next: UInt64?
    private var cuts: UInt64 = 0
    /// What was jumped to was not sent yet.
    private(set) var isJump = false

    /// Where to look for the next one; nil for nowhere.
    mutating func step(isPlaying: Bool, position: Int64, jumps: UInt64, ring: Ring) -> UInt64? {
        guard isPlaying else {
            next = nil
            return nil
        }
        let isCut = ring.cuts != cuts && (ring.cuts &- cuts > 1 || next ?? 0 > ring.lastCut)
        let isGone = next.map { $0 < ring.tail } ?? true
        let isLate = ring.nextPTS.map { position &- $0 > PlaybackCursor.patience } ?? false
        if self.jumps != jumps || isCut || isGone || isLate && next ?? 0 < ring.start {
            (next, isJump) = (ring.start, true)
        }
        (self.jumps, cuts) = (jumps, ring.cuts)
        return next
    }

    /// All before `sequence` was sent.
    mutating func sent(to sequence: UInt64) { (next, isJump) = (sequence, false) }

    /// There is nothing to send before `sequence`.
    mutating func passed(to sequence: UInt64) { next = sequence }
}
