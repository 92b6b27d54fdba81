/// The ranges that saves are reading, in sequence numbers of the ring. Fixed size: it lives under the stream's lock.
struct PinSet {
    /// Saves at one time.
    static let limit = 16

    private struct Pin {
        var start = UInt64.max
        var end: UInt64 = 0
    }

    private var pins = InlineArray<16, Pin>(repeating: Pin())

    /// Nothing from here on may be evicted; the largest number where nothing is pinned.
    var floor: UInt64 {
        var lowest = UInt64.max
        for slot in pins.indices { lowest = min(lowest, pins[slot].start) }
        return lowest
    }

    /// Nothing before this may be taken out again; 0 where nothing is pinned.
    var ceiling: UInt64 {
        var highest: UInt64 = 0
        for slot in pins.indices { highest = max(highest, pins[slot].end) }
        return highest
    }

    var count: Int {
        var count = 0
        for slot in pins.indices where pins[slot].end != 0 { count += 1 }
        return count
    }

    /// The slot, or nil where all are taken.
    mutating func add(_ range: Range<UInt64>) -> Int? {
        for slot in pins.indices where pins[slot].end == 0 {
            pins[slot] = Pin(start: range.lowerBound, end: range.upperBound)
            return slot
        }
        return nil
    }

    /// All before `start` may go.
    mutating func advance(_ slot: Int, to start: UInt64) { pins[slot].start = max(pins[slot].start, start) }

    mutating func remove(_ slot: Int) { pins[slot] = Pin() }
}
