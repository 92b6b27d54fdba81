/// Choosing and reading a clip. All but the choice is bounded by the chunk asked for.
extension GOPRing {
    enum Choice: Equatable {
        case clip(ClipRange)
        case empty
        /// As many saves run as may at one time.
        case busy
    }

    /// 1 ms: what Matroska's timestamps are exact to.
    static var rounding: Int64 { 1_000_000 }

    /// Pins what covers the last `length` nanoseconds (all there is for nil): from the last key frame at or before
    /// newest end − length, but never from before the last change of format, because no player shows both in one track.
    /// Durations are rounded, so a key frame that is less than `rounding` late still counts: two GOPs of half a second
    /// are one second.
    /// - Thread: main.
    mutating func pin(last length: Int64?) -> Choice {
        guard head > tail else { return .empty }
        let wanted = length.map { newestEnd.subtractingReportingOverflow(max(0, $0)) }
        let target = wanted.map { $0.overflow ? Int64.min : $0.partialValue &+ Self.rounding }
        let byTime = target.map { lastKey(notAfter: $0) } ?? tail
        let first = max(byTime ?? tail, formatStart, tail)
        guard let slot = pins.add(first..<head) else { return .busy }
        let cut: ClipRange.Cut? =
            if first == formatStart, first > (byTime ?? tail) {
                .formatChange
            } else if target != nil, byTime == nil {
                .ringStart
            } else {
                nil
            }
        return .clip(
            ClipRange(
                slot: slot, first: first, end: head, format: self[first].format, start: self[first].pts,
                finish: newestEnd, cut: cut))
    }

    /// Copies index entries from `sequence` on; how many.
    /// - Precondition: `sequence` is pinned.
    borrowing func copyFrames(from sequence: UInt64, to end: UInt64, into chunk: inout [Frame], limit: Int) {
        chunk.removeAll(keepingCapacity: true)
        var next = sequence
        while next < min(end, head), chunk.count < limit {
            chunk.append(self[next])
            next += 1
        }
    }

    /// The sequence of the last key frame with a PTS at or before `time`. Key frames are in the order of time, and each
    /// frame knows its own: a binary search.
    private borrowing func lastKey(notAfter time: Int64) -> UInt64? {
        var low = tail
        var high = head
        var found: UInt64?
        while low < high {
            let key = keyOf(low + (high - low) / 2)
            let frame = self[key]
            if frame.pts <= time {
                found = key
                low = key + UInt64(frame.link)
            } else {
                high = key
            }
        }
        return found
    }

    private borrowing func keyOf(_ sequence: UInt64) -> UInt64 {
        let frame = self[sequence]
        return frame.isKey ? sequence : sequence - UInt64(frame.link)
    }
}
