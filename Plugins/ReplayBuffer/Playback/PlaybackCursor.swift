/// Which frames of the ring go to the output next.
///
/// A picture that is shown needs its key frame and all between the two: after a jump those are sent to be decoded and not
/// shown. Forwards every frame is sent once; backwards the key frames alone, each as it is passed. Who stands sees the one
/// picture of the place.
///
/// Pure: it is told what the ring has, and says what to read.
struct PlaybackCursor: Equatable, Sendable {
    enum Motion: Equatable, Sendable {
        /// Nothing is shown anew.
        case held
        case still
        /// More than 0.
        case forward(rate: Double)
        case backward(rate: Double)
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
        /// Only the frame at `from`.
        var isSingle = false
    }

    private var jumps: UInt64?
    /// The next frame to send; nil after a jump.
    private var next: UInt64?
    private var shownFrom: Int64 = 0
    private var lastKey: UInt64?

    /// - Parameters:
    ///   - position: where the viewer is.
    ///   - reach: up to where frames are sent, ahead of it.
    ///   - key: the last key frame at or before `position`; nil where there is none.
    mutating func step(
        _ motion: Motion, position: Int64, reach: Int64, jumps: UInt64, firstKey: UInt64, head: UInt64,
        key: UInt64?
    ) -> Step? {
        if self.jumps != jumps {
            self.jumps = jumps
            (next, lastKey) = (nil, nil)
        }
        guard head > firstKey else {
            next = nil
            return nil
        }
        switch motion {
        case .held: return nil
        case .backward:
            guard let found = key, found != lastKey else { return nil }
            (lastKey, next) = (found, nil)
            return Step(from: found, until: .max, shownFrom: .min, isJump: true, isSingle: true)
        case .still where next != nil: return nil
        case .still, .forward:
            let isBehind = next.map { $0 < firstKey } ?? true
            guard isBehind || (next ?? 0) < head else { return nil }
            if isBehind {
                next = max(firstKey, key ?? firstKey)
                shownFrom = position
            }
            return Step(
                from: next ?? firstKey, until: motion == .still ? position : reach, shownFrom: shownFrom,
                isJump: isBehind)
        }
    }

    /// All before `sequence` was sent.
    mutating func sent(to sequence: UInt64) { next = sequence }

    /// Another output: it has seen nothing.
    mutating func restart() { self = PlaybackCursor() }
}
