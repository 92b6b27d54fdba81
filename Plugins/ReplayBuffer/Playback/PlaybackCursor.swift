/// Which frames of the ring go to the output next.
///
/// A picture that is shown needs its key frame and all between the two: after a jump those are sent to be decoded and not
/// shown. Forwards every frame is sent once. Who stands sees the one picture of the place; backwards is to stand at one place
/// after the other.
///
/// Pure: it is told what the ring has, and says what to read. It keeps nothing in the ring from being evicted: what is gone
/// before it was sent is jumped over.
struct PlaybackCursor: Equatable, Sendable {
    enum Motion: Equatable, Sendable {
        /// Nothing is shown anew.
        case held
        case still
        /// More than 0.
        case forward(rate: Double)
        case backward
    }

    /// What the ring has, in sequence numbers.
    struct Ring: Equatable, Sendable {
        var firstKey: UInt64
        var head: UInt64
        /// The last key frame at or before the viewer's place; nil where there is none.
        var key: UInt64?
        var keyPTS: Int64?
        /// The key frame before that of the last picture that was shown backwards.
        var keyBefore: UInt64?
        /// The PTS of the frame at `next`.
        var nextPTS: Int64?
        /// See `GOPRing`.
        var cuts: UInt64 = 0
        var lastCut: UInt64 = 0
    }

    struct Step: Equatable, Sendable {
        /// Sequence numbers of the ring.
        var from: UInt64
        /// Frames that are shown later than this are not sent yet.
        var until: Int64
        /// Frames that are over by this time are decoded only.
        var shownFrom: Int64
        /// Nothing before leads to it.
        var isJump: Bool
    }

    /// An output that is later than this takes the next key frame, in nanoseconds at rate 1.
    static let patience: Int64 = 1_000_000_000

    private var jumps: UInt64?
    /// The next frame to send; nil after a jump.
    private(set) var next: UInt64?
    private var shownFrom: Int64 = 0
    private(set) var reverse = ReversePace()
    private var cuts: UInt64 = 0
    /// What was jumped to was not sent yet.
    private var isJump = false
    /// The picture of the place was sent.
    private var isSettled = false
    /// The decoder may hold it back.
    private var needsDrain = false

    /// - Parameters:
    ///   - position: where the viewer is.
    ///   - reach: up to where frames are sent, ahead of it.
    ///   - isIdle: whether nothing of what was sent waits before the output.
    mutating func step(
        _ motion: Motion, position: Int64, reach: Int64, jumps: UInt64, isIdle: Bool, ring: Ring
    ) -> Step? {
        if self.jumps != jumps {
            self.jumps = jumps
            (next, reverse, isSettled) = (nil, ReversePace(), false)
        }
        notice(ring)
        guard ring.head > ring.firstKey else {
            next = nil
            return nil
        }
        switch motion {
        case .held: return nil
        case .backward:
            if isSettled {
                guard isIdle, reverse.choose(position, ring) else { return nil }
                (next, isSettled) = (nil, false)
            } else if isGone(ring) {
                reverse.giveUp()
                guard reverse.choose(position, ring) else { return nil }
            }
            return stand(at: reverse.target ?? position, ring)
        case .still:
            return isSettled ? nil : stand(at: position, ring)
        case .forward(let rate):
            return go(on: reach, ring, position, isGone(ring) || isLate(position, rate, ring))
        }
    }

    /// Its picture stays, also where it is evicted.
    private mutating func stand(at place: Int64, _ ring: Ring) -> Step? {
        let step = go(on: place, ring, place, isGone(ring))
        if step == nil { settled() }
        return step
    }

    private mutating func go(on until: Int64, _ ring: Ring, _ position: Int64, _ jumps: Bool) -> Step? {
        if jumps {
            next = max(ring.firstKey, ring.key ?? ring.firstKey)
            (shownFrom, isJump) = (position, true)
        }
        guard let next, next < ring.head else { return nil }
        return Step(from: next, until: until, shownFrom: shownFrom, isJump: isJump)
    }

    /// Numbers from the last cut on mean other frames now.
    private mutating func notice(_ ring: Ring) {
        guard cuts != ring.cuts else { return }
        let isMore = ring.cuts &- cuts > 1
        if isMore || next ?? 0 > ring.lastCut { next = nil }
        if isMore || reverse.key ?? 0 >= ring.lastCut { reverse = ReversePace() }
        cuts = ring.cuts
    }

    private func isGone(_ ring: Ring) -> Bool { next.map { $0 < ring.firstKey } ?? true }

    /// The output did not take what it was to show, and there is a key frame on the way to where the viewer is.
    private func isLate(_ position: Int64, _ rate: Double, _ ring: Ring) -> Bool {
        guard let next, let key = ring.key, key > next, let pts = ring.nextPTS else { return false }
        return Double(position &- pts) > Double(Self.patience) * max(1, rate)
    }

    /// All before `sequence` was sent; the last of it begins at `pts`.
    mutating func sent(to sequence: UInt64, pts: Int64) {
        (next, isJump) = (sequence, false)
        reverse.sent(pts)
    }

    /// There is nothing to send before `sequence`.
    mutating func passed(to sequence: UInt64) { next = sequence }

    /// All that a viewer who stands is to see of a place was sent.
    mutating func settled() { (isSettled, needsDrain) = (true, !isJump) }

    /// Whether the decoder has to give out what it holds back; says so once. What follows is a jump.
    mutating func takeDrain() -> Bool {
        defer { needsDrain = false }
        return needsDrain
    }
}
