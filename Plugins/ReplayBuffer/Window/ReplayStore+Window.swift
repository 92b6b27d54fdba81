/// The frames of one segment, as they are in the index.
struct WindowFrames: Sendable {
    struct Item: Sendable {
        var frame: Frame
        var sequence: UInt64
    }

    /// In the order of decoding.
    var pictures: [Item] = []
    /// Of one format: that of the first.
    var sound: [Item] = []
    /// The first ones behind it, where they are there.
    var nextPicture: Frame?
    var nextSound: Frame?
    /// How often the ring had taken frames out again then; see `GOPRing`.
    var cuts: UInt64 = 0
}

/// Reading for the window. As for a player, nothing is pinned: who asks for a segment neither keeps the ring from evicting
/// nor takes the place of a save. The streams wait for a chunk of the index, a piece of a frame or the
/// writing of the notes, at most.
extension ReplayStore {
    /// Frames looked at for the newest sound.
    private static let reach: UInt64 = 512
    /// Another try is for the rare case that frames were taken out meanwhile.
    private static let tries = 3

    /// - Thread: worker.
    func windowLook(window: Int64, frameCapacity: Int) -> WindowLook {
        let timeline = timeline()
        let look = WindowLook(
            segments: timeline.segments, firstNumber: timeline.firstNumber, oldest: timeline.oldest,
            newest: timeline.newest, hasSound: tracks > 1,
            bounds: WindowLook.Bounds(window: window, bytes: capacity, frames: frameCapacity))
        return state.withLock { state -> WindowLook in
            var look = look
            (look.firstKey, look.head) = (state.ring.firstKey, state.ring.head)
            look.writePosition = state.ring.writeEnd()
            look.soundEnd = look.hasSound ? state.ring.soundEnd(within: Self.reach) : nil
            return look
        }
    }

    /// Where the numbers of the window stand, from which another process goes on.
    /// - Thread: main, worker.
    var windowMark: WindowMark {
        get { state.withLock { $0.notes.window } }
        set {
            state.withLock { state in
                guard state.notes.window != newValue else { return }
                state.notes.window = newValue
                state.note()
            }
        }
    }

    /// The frames from the key frame at `start` to that at `end`; sound that begins within. Nil where they are not there any
    /// more.
    /// - Thread: worker.
    func windowFrames(from start: Int64, to end: Int64) -> WindowFrames? {
        for _ in 0..<Self.tries {
            switch readWindow(start, end) {
            case .found(let frames): return frames
            case .gone: return nil
            case .changed: continue
            }
        }
        return nil
    }

    private enum Reading { case found(WindowFrames), gone, changed }

    private struct Range: Sendable {
        var first: UInt64
        var key: UInt64
        var next: UInt64
        var stop: UInt64
        var cuts: UInt64
    }

    private func readWindow(_ start: Int64, _ end: Int64) -> Reading {
        let hasSound = tracks > 1
        let found = state.withLock { state -> Range? in
            guard !state.ring.isEmpty, let key = state.ring.lastKey(notAfter: start), state.ring[key].pts == start,
                let next = state.ring.lastKey(notAfter: end), state.ring[next].pts == end
            else { return nil }
            guard hasSound else {
                return Range(first: key, key: key, next: next, stop: next + 1, cuts: state.ring.cuts)
            }
            let late = state.ring.lastKey(notAfter: end.clampedSubtracting(-WindowList.patience)) ?? next
            return Range(
                first: state.ring.leadStart(of: key), key: key, next: next, stop: late + UInt64(state.ring[late].link),
                cuts: state.ring.cuts)
        }
        guard let range = found else { return .gone }
        var frames = WindowFrames(cuts: range.cuts)
        var chunk: [Frame] = []
        chunk.reserveCapacity(Self.chunkFrames)
        var sequence = range.first
        while sequence < range.stop {
            let (isThere, isSame) = state.withLock { state -> (Bool, Bool) in
                guard state.ring.cuts == range.cuts else { return (false, false) }
                guard sequence >= state.ring.tail else { return (false, true) }
                state.ring.copyFrames(from: sequence, to: range.stop, into: &chunk, limit: Self.chunkFrames)
                return (true, true)
            }
            guard isThere else { return isSame ? .gone : .changed }
            guard !chunk.isEmpty else { break }
            for frame in chunk {
                frames.take(frame, sequence, start, end, key: range.key, next: range.next)
                sequence += 1
            }
        }
        return .found(frames)
    }

    /// All bytes of a frame, copied in pieces; nil where it was evicted meanwhile.
    /// - Thread: worker.
    func windowBytes(of item: WindowFrames.Item, cuts: UInt64, into bytes: inout [UInt8]) -> Bool {
        bytes.removeAll(keepingCapacity: true)
        bytes.reserveCapacity(Int(item.frame.size))
        while bytes.count < Int(item.frame.size) {
            let isThere = state.withLock { state in
                guard state.ring.cuts == cuts, item.sequence >= state.ring.tail else { return false }
                let count = min(Self.pieceBytes, Int(item.frame.size) - bytes.count)
                slab.append(at: item.frame.position &+ UInt64(bytes.count), count: count, to: &bytes)
                return true
            }
            guard isThere else { return false }
        }
        return true
    }
}

extension WindowFrames {
    fileprivate mutating func take(
        _ frame: Frame, _ sequence: UInt64, _ start: Int64, _ end: Int64, key: UInt64, next: UInt64
    ) {
        let item = Item(frame: frame, sequence: sequence)
        switch frame.track {
        case 0:
            if sequence >= key, sequence < next { pictures.append(item) }
            if sequence == next { nextPicture = frame }
        case 1:
            if let known = sound.first, known.frame.format != frame.format { return }
            if frame.pts >= start, frame.pts < end {
                sound.append(item)
            } else if frame.pts >= end, nextSound == nil {
                nextSound = frame
            }
        default: break
        }
    }
}

extension GOPRing {
    /// Where the next frame's bytes go.
    fileprivate borrowing func writeEnd() -> UInt64 { head > tail ? self[tail].position &+ UInt64(usedBytes) : 0 }

    fileprivate borrowing func soundEnd(within reach: UInt64) -> Int64? {
        var sequence = head
        let floor = max(tail, head > reach ? head - reach : 0)
        while sequence > floor {
            sequence -= 1
            let frame = self[sequence]
            if frame.track == 1 { return frame.pts &+ max(1, frame.duration) }
        }
        return nil
    }
}
