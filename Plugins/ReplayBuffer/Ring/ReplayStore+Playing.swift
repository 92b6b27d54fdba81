/// A frame that a player is to send, and its place in the ring.
protocol FrameToSend: Sendable {
    var frame: Frame { get }
    var sequence: UInt64 { get }
}

/// A frame for a player.
struct PlayerFrame: FrameToSend {
    var frame: Frame
    var sequence: UInt64
    var step: PlaybackCursor.Step
    /// Where the viewer is, and how fast it goes forwards; 0 stands, or goes back from one place to the next.
    var position: Int64
    var rate: Double
    /// How often it was moved.
    var jumps: UInt64
}

/// A frame of sound for a player.
struct SoundFrame: FrameToSend {
    var frame: Frame
    var sequence: UInt64
    var isJump: Bool
    var jumps: UInt64
}

/// Playing: nothing is pinned, so a player neither keeps the ring from evicting nor takes the place of a save. A frame is
/// copied under the lock, in pieces; one that is evicted meanwhile is given up.
extension ReplayStore {
    /// What is copied while the streams wait, in bytes: a few microseconds.
    static let pieceBytes = 64 << 10

    /// What a player is to send next, with its bytes; nil for nothing.
    /// - Parameter isIdle: whether nothing of what was sent waits before the output.
    /// - Thread: worker.
    func next(
        _ cursor: inout PlaybackCursor, at time: Int64, ahead: Int64, isIdle: Bool, into bytes: inout [UInt8]
    ) -> PlayerFrame? {
        take(&cursor, into: &bytes) { Self.find(&$0, $1, $2, at: time, ahead: ahead, isIdle: isIdle) }
    }

    /// The same of the first sound track.
    /// - Thread: worker.
    func nextSound(
        _ cursor: inout SoundCursor, at time: Int64, ahead: Int64, into bytes: inout [UInt8]
    ) -> SoundFrame? {
        take(&cursor, into: &bytes) { Self.find(&$0, $1, $2, at: time, ahead: ahead) }
    }

    private func take<Cursor: Sendable, Found: FrameToSend>(
        _ cursor: inout Cursor, into bytes: inout [UInt8],
        _ find: (inout Cursor, LivePosition, borrowing GOPRing) -> Found?
    ) -> Found? {
        bytes.removeAll(keepingCapacity: true)
        let (moved, found, cuts) = state.withLock { [cursor] state -> (Cursor, Found?, UInt64) in
            var cursor = cursor
            let found = find(&cursor, state.position, state.ring)
            if let found { copy(found.frame, to: &bytes) }
            return (cursor, found, state.ring.cuts)
        }
        cursor = moved
        guard let found, copyRest(of: found.frame, found.sequence, cuts, to: &bytes) else { return nil }
        return found
    }

    /// False where the frame was evicted before all of it was copied.
    private func copyRest(of frame: Frame, _ sequence: UInt64, _ cuts: UInt64, to bytes: inout [UInt8]) -> Bool {
        while bytes.count < Int(frame.size) {
            let isThere = state.withLock { state in
                guard state.ring.cuts == cuts, sequence >= state.ring.tail else { return false }
                copy(frame, to: &bytes)
                return true
            }
            guard isThere else { return false }
        }
        return true
    }

    private static func find(
        _ cursor: inout SoundCursor, _ live: LivePosition, _ ring: borrowing GOPRing, at time: Int64, ahead: Int64
    ) -> SoundFrame? {
        guard let position = live.position(at: time, oldest: ring.oldest), !ring.isEmpty else { return nil }
        let (isPlaying, reach): (Bool, Int64) =
            switch live.viewer {
            case .live: (true, .max)
            case .playing(_, _, let rate): (rate == 1, live.isHeld ? position : position &+ ahead)
            case .paused, .held: (false, position)
            }
        let from = cursor.step(
            isPlaying: isPlaying, position: position, jumps: live.jumps,
            ring: ring.soundView(at: position, next: cursor.next))
        guard let from else { return nil }
        switch ring.sound(1, from: from, after: cursor.isJump ? position : .min, until: reach) {
        case .frame(let sequence):
            return SoundFrame(
                frame: ring[sequence], sequence: sequence, isJump: cursor.isJump, jumps: live.jumps)
        case .nothing(let sequence):
            cursor.passed(to: sequence)
            return nil
        }
    }

    private static func find(
        _ cursor: inout PlaybackCursor, _ live: LivePosition, _ ring: borrowing GOPRing, at time: Int64, ahead: Int64,
        isIdle: Bool
    ) -> PlayerFrame? {
        guard let position = live.position(at: time, oldest: ring.oldest) else { return nil }
        let (motion, rate): (PlaybackCursor.Motion, Double) =
            switch live.viewer {
            case .live: (.forward(rate: 1), 1)
            case .held: (.held, 0)
            case .paused: (.still, 0)
            case .playing(_, _, let rate): rate > 0 ? (.forward(rate: rate), rate) : (.backward, 0)
            }
        let reach = live.isHeld ? position : position &+ Int64(Double(ahead) * max(1, rate))
        let step = cursor.step(
            motion, position: position, reach: live.viewer == .live ? .max : reach, jumps: live.jumps, isIdle: isIdle,
            ring: ring.view(at: position, next: cursor.next, shown: cursor.reverse.key))
        guard let step else { return nil }
        switch ring.due(from: step.from, until: step.until) {
        case .frame(let sequence):
            return PlayerFrame(
                frame: ring[sequence], sequence: sequence, step: step, position: position, rate: rate,
                jumps: live.jumps)
        case .nothing(let sequence):
            cursor.passed(to: sequence)
            // Behind a long stall of the pictures there may be more of them.
            let isAll = sequence == ring.head || ring[sequence].track == 0
            if isAll, motion == .still || motion == .backward { cursor.settled() }
            return nil
        }
    }

    private func copy(_ frame: Frame, to bytes: inout [UInt8]) {
        let count = min(Self.pieceBytes, Int(frame.size) - bytes.count)
        slab.append(at: frame.position &+ UInt64(bytes.count), count: count, to: &bytes)
    }
}
