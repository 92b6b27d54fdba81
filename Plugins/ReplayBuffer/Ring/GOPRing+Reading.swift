/// Choosing and reading a clip. All but the choice is bounded by the chunk asked for.
extension GOPRing {
    enum Choice: Equatable {
        case clip(ClipRange)
        case empty
        /// Nothing of the range is kept.
        case outside
        /// As many saves run as may at one time.
        case busy
    }

    /// 1 ms: what Matroska's timestamps are exact to.
    static var rounding: Int64 { 1_000_000 }
    /// How far other tracks may be behind the reference at the end of a clip.
    private static var tailSlack: Int64 { 1_000_000_000 }

    /// Pins what covers the last `length` nanoseconds (all there is for nil): from the last key frame at or before
    /// newest end − length. Durations are rounded, so a key frame that is less than `rounding` late still counts: two GOPs
    /// of half a second are one second.
    /// - Thread: main.
    mutating func pin(last length: Int64?) -> Choice {
        let wanted = length.map { newestEnd.subtractingReportingOverflow(max(0, $0)) }
        return pin(from: wanted.map { $0.overflow ? Int64.min : $0.partialValue }, to: nil, slack: Self.rounding)
    }

    /// Pins what covers the media times from `from` (the oldest for nil) to `to` (the newest): from the last key frame at or
    /// before it, but never from before a change of format, because no player shows both in one track.
    /// - Thread: main.
    mutating func pin(from: Int64?, to: Int64?, slack: Int64 = 0) -> Choice {
        guard gops > 0 else { return .empty }
        if slack == 0, let from, from >= newestEnd { return .outside }
        if let to, to <= oldest { return .outside }
        let end = to.map { endSequence($0) } ?? head
        let target = from.map { $0 < Int64.max - slack ? $0 + slack : $0 }
        let byTime = target.map { lastKey(notAfter: $0) } ?? firstKey
        // A range of one format: that of its last picture.
        let last = to.flatMap { lastKey(notAfter: $0 - 1) } ?? keyOf(head - 1)
        let run = runStart(of: last)
        let key = max(byTime ?? firstKey, run)
        let first = leadStart(of: key)
        guard let slot = pins.add(first..<end) else { return .busy }
        let cut: ClipRange.Cut? =
            if key == run, key > (byTime ?? firstKey) {
                .formatChange
            } else if target != nil, byTime == nil {
                .ringStart
            } else {
                nil
            }
        let start = self[key].pts
        return .clip(
            ClipRange(
                slot: slot, first: first, end: end, key: key, format: self[key].format, start: start,
                finish: to.map { min($0, newestEnd) } ?? newestEnd, wanted: max(start, from ?? start), cut: cut))
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

    /// The first key frame at or after `time`; nil where there is none.
    /// - Thread: main.
    borrowing func keyTime(notBefore time: Int64) -> Int64? {
        guard gops > 0 else { return nil }
        guard let before = lastKey(notAfter: time - 1) else { return oldest }
        let next = before + UInt64(self[before].link)
        return next < head ? self[next].pts : nil
    }

    /// The sequence of the last key frame with a PTS at or before `time`. Key frames are in the order of time, and each
    /// frame knows its own: a binary search.
    borrowing func lastKey(notAfter time: Int64) -> UInt64? {
        lastKey { $0.pts <= time }
    }

    private borrowing func lastKey(where matches: (Frame) -> Bool) -> UInt64? {
        var low = firstKey
        var high = head
        var found: UInt64?
        while low < high {
            let key = keyOf(low + (high - low) / 2)
            let frame = self[key]
            if matches(frame) {
                found = key
                low = key + UInt64(frame.link)
            } else {
                high = key
            }
        }
        return found
    }

    /// The first key frame of the run of one format that `key` is in. Numbers of formats never come back.
    private borrowing func runStart(of key: UInt64) -> UInt64 {
        let format = self[key].format
        let age = { (other: UInt16) in Int16(bitPattern: format &- other) }
        guard let before = lastKey(where: { age($0.format) > 0 }) else { return firstKey }
        return before + UInt64(self[before].link)
    }

    /// Where reading may end for a clip that ends at `time`: no track has anything before it from there on.
    private borrowing func endSequence(_ time: Int64) -> UInt64 {
        let (late, overflow) = time.addingReportingOverflow(Self.tailSlack)
        guard !overflow, let key = lastKey(notAfter: late) else { return head }
        return key + UInt64(self[key].link)
    }
}
