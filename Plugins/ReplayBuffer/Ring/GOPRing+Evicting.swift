/// Making room: by bytes, by index entries, by age.
extension GOPRing {
    /// Evicts until `bytes` and one entry fit; the reason if they never will.
    mutating func makeRoom(for bytes: Int, _ frame: Frame) -> Skip? {
        guard bytes <= slab.capacity, bytes <= UInt32.max else { return .oversized }
        if !frame.isKey, gops == 1, frame.pts &+ max(0, frame.duration) &- self[firstKey].pts > longest {
            return .oversized
        }
        while usedBytes + bytes > slab.capacity || count == frameCapacity {
            if gops > (frame.isKey ? 0 : 1) {
                if evictOldest() { continue }
                return .held
            }
            // Only the GOP that grows, or none: the lead before it goes, too.
            if trimLead() { continue }
            return tail < firstKey ? .held : .oversized
        }
        return nil
    }

    /// The oldest GOPs go while the rest covers the window.
    mutating func evictByAge() {
        while gops > 1, newestEnd &- self[secondGOP].pts >= window, evictOldest() {}
    }

    /// False where a save holds it.
    mutating func evictOldest() -> Bool {
        let end = secondGOP
        let start = leadStart(of: end)
        guard start <= pins.floor else { return false }
        tail = start
        firstKey = end
        gops -= 1
        segments.evict(before: end)
        return true
    }

    /// Whether anything went.
    @discardableResult mutating func trimLead() -> Bool {
        let start = min(firstKey, pins.floor)
        guard tail < start else { return false }
        tail = start
        return true
    }

    /// The oldest frame that belongs to what begins with the key frame at `key`: of other tracks, and not over before it.
    /// `key` may be `head`.
    func leadStart(of key: UInt64) -> UInt64 {
        guard tracks > 1, key < head else { return key }
        let start = self[key].pts
        let floor = max(tail, leadFloor, key > Self.leadLimit ? key - Self.leadLimit : 0)
        var (open, found, sequence) = (tracks - 1, key, key)
        var isOver: UInt64 = 0
        while sequence > floor, open > 0 {
            sequence -= 1
            let frame = self[sequence]
            guard frame.track != 0, isOver & (1 << UInt64(frame.track & 63)) == 0 else { continue }
            if frame.pts &+ max(1, frame.duration) > start {
                found = sequence
            } else {
                isOver |= 1 << UInt64(frame.track & 63)
                open -= 1
            }
        }
        return found
    }

    var secondGOP: UInt64 { firstKey + UInt64(self[firstKey].link) }
    var longest: Int64 {
        let (double, overflow) = window.multipliedReportingOverflow(by: 2)
        return overflow ? .max : double
    }

    /// Four fifths of a bound are used by one GOP.
    mutating func askForKey() {
        guard keyRequest == .none, gops > 0 else { return }
        let bytes = Int(writePosition - self[currentKey].position)
        if bytes / 4 >= slab.capacity / 5 || Int(head - currentKey) / 4 >= max(1, frameCapacity / 5)
            || (newestEnd &- self[currentKey].pts) / 4 >= longest / 5
        {
            keyRequest = .wanted
        }
    }
}
