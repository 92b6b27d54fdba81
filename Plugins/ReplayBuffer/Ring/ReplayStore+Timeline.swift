/// Looks at ring and timeline together. The streams wait for a copy of some entries, never for what is made of them, nor for
/// memory.
extension ReplayStore {
    /// Entries of the segment table copied in one go: 20 kB.
    static let chunkSegments = 256

    /// Everything at one moment.
    /// - Thread: main.
    func timeline() -> Timeline {
        var entries: [SegmentTable.Entry] = []
        entries.reserveCapacity(segmentCapacity)
        var gaps: [Gap] = []
        gaps.reserveCapacity(GapList.capacity)
        // The numbers of the first entry, and of the one after the last.
        var (first, next) = (UInt64(0), UInt64(0))
        var cuts: UInt64?
        while true {
            let last = state.withLock { state -> (timeline: Timeline, tail: UInt64)? in
                let tail = state.ring.segments.tail
                if next < tail || cuts != state.ring.cuts {
                    // All of it is gone, or numbers mean others than before.
                    entries.removeAll(keepingCapacity: true)
                    (first, next, cuts) = (tail, tail, state.ring.cuts)
                }
                next = state.ring.segments.copy(from: next, limit: Self.chunkSegments, to: &entries)
                guard next == state.ring.segments.head else { return nil }
                state.gaps.copy(to: &gaps)
                return (Self.edges(state), tail)
            }
            guard let last else { continue }
            var timeline = last.timeline
            timeline.firstNumber = max(first, last.tail)
            let kept = entries.dropFirst(Int(timeline.firstNumber - first))
            timeline.segments = SegmentTable.segments(kept, until: timeline.newest)
            timeline.gaps = gaps.filter { $0.to > timeline.oldest }
            return timeline
        }
    }

    /// The same without segments and gaps.
    /// - Thread: any.
    func edges() -> Timeline { state.withLock { Self.edges($0) } }

    private static func edges(_ state: borrowing State) -> Timeline {
        Timeline(
            position: state.position, oldest: state.ring.oldest, newest: state.ring.newestEnd,
            isEmpty: state.ring.isEmpty, epoch: state.epoch, nextIndex: state.ring.segments.nextIndex, segments: [],
            gaps: [])
    }
}
