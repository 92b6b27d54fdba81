/// What a player looks for. All of it looks at a bounded number of index entries.
extension GOPRing {
    /// A picture is decoded before at most so many that are shown before it.
    static var reordering: Int { 16 }
    /// Entries looked at in one go.
    private static var reach: UInt64 { 512 }

    enum Due: Equatable {
        /// The frame of the reference at this number is to be sent.
        case frame(UInt64)
        /// Nothing is; and nothing of the reference lies before this number.
        case nothing(UInt64)
    }

    /// The first frame of the reference from `sequence` on, where it, or one that is decoded after it and shown before it,
    /// begins by `until`.
    /// - Precondition: `tail <= sequence`.
    borrowing func due(from sequence: UInt64, until: Int64) -> Due {
        var end = min(head, sequence + Self.reach)
        var next = sequence
        while next < end, self[next].track != 0 { next += 1 }
        let first = next
        end = min(head, first + Self.reach)
        var pictures = 0
        while next < end, pictures <= Self.reordering {
            let frame = self[next]
            if frame.track == 0 {
                if frame.pts <= until { return .frame(first) }
                pictures += 1
            }
            next += 1
        }
        return .nothing(first)
    }

    /// The first frame of a track from `sequence` on that sounds after `after`, where it begins by `until`.
    /// - Precondition: `tail <= sequence`.
    borrowing func sound(_ track: UInt8, from sequence: UInt64, after: Int64, until: Int64) -> Due {
        let end = min(head, sequence + Self.reach)
        var next = sequence
        while next < end {
            let frame = self[next]
            if frame.track == track, frame.pts &+ max(1, frame.duration) > after {
                return frame.pts <= until ? .frame(next) : .nothing(next)
            }
            next += 1
        }
        return .nothing(next)
    }

    /// - Precondition: there is a key frame.
    borrowing func soundView(at position: Int64, next: UInt64?) -> SoundCursor.Ring {
        SoundCursor.Ring(
            tail: tail, start: leadStart(of: lastKey(notAfter: position) ?? firstKey),
            nextPTS: next.flatMap { $0 >= tail && $0 < head ? self[$0].pts : nil }, cuts: cuts, lastCut: lastCut)
    }

    /// The key frame before another one; nil where there is none.
    borrowing func key(before key: UInt64) -> UInt64? {
        guard !isEmpty, key > firstKey, key <= head else { return nil }
        return keyOf(key - 1)
    }

    /// - Parameters:
    ///   - next: the next frame to send.
    ///   - shown: the key frame of the picture that was shown last, backwards.
    borrowing func view(at position: Int64, next: UInt64?, shown: UInt64?) -> PlaybackCursor.Ring {
        let key = isEmpty ? nil : lastKey(notAfter: position)
        return PlaybackCursor.Ring(
            firstKey: firstKey, head: head, key: key, keyPTS: key.map { self[$0].pts },
            keyBefore: shown.flatMap { self.key(before: $0) },
            nextPTS: next.flatMap { $0 >= tail && $0 < head ? self[$0].pts : nil }, cuts: cuts, lastCut: lastCut)
    }
}
