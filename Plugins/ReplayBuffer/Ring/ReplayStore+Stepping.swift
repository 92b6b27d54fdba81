/// Single pictures, for who looks at one after the other.
extension ReplayStore {
    /// As far as one step may go, in pictures.
    static let stepLimit = 250

    /// Where the picture begins that is shown `count` pictures after the one of `place`, or before it where negative; the
    /// last one there is where there are less. Nil where there is none.
    /// - Parameter edge: those from there on may still wait for pictures that are shown before them.
    /// - Thread: main.
    func picture(_ count: Int, from place: Int64, until edge: Int64) -> Int64? {
        guard var key = state.withLock({ $0.ring.isEmpty ? nil : $0.ring.lastKey(notAfter: place) ?? $0.ring.firstKey })
        else { return nil }
        while true {
            guard let all = times(from: key, behind: place, max(0, count) + GOPRing.reordering) else {
                // What it began with was evicted meanwhile.
                guard let next = state.withLock({ $0.ring.isEmpty ? nil : max($0.ring.firstKey, key) }), next != key
                else { return nil }
                key = next
                continue
            }
            let times = all.prefix { $0 < edge || $0 <= place }
            guard !times.isEmpty else { return nil }
            let current = times.lastIndex { $0 <= place } ?? 0
            if count < 0, current < -count, let before = state.withLock({ $0.ring.key(before: key) }) {
                key = before
                continue
            }
            let target = min(max(current + count, 0), times.count - 1)
            return target == current ? nil : times[target]
        }
    }

    /// When the pictures from the key frame at `key` on begin, in order, up to `count` behind `place`; nil where the key frame
    /// is gone.
    private func times(from key: UInt64, behind place: Int64, _ count: Int) -> [Int64]? {
        var chunk: [Frame] = []
        chunk.reserveCapacity(Self.chunkFrames)
        var times: [Int64] = []
        var (next, behind) = (key, 0)
        while behind < count {
            let isThere = state.withLock { state in
                guard key >= state.ring.firstKey, !state.ring.isEmpty else { return false }
                state.ring.copyFrames(from: next, to: .max, into: &chunk, limit: Self.chunkFrames)
                return true
            }
            guard isThere else { return nil }
            guard !chunk.isEmpty else { break }
            next += UInt64(chunk.count)
            // Pictures that are shown before the first key frame cannot be decoded.
            for frame in chunk where frame.track == 0 && frame.pts >= (times.first ?? .min) {
                times.append(frame.pts)
                if frame.pts > place { behind += 1 }
            }
        }
        return times.sorted()
    }
}
