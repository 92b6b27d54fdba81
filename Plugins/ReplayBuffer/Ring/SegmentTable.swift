/// A run of whole GOPs of at least `length`, never across an epoch or a change of format: what a scrub bar and a playlist
/// show.
struct Segment: Equatable, Sendable {
    /// Counts from 0 since the cold start or the last reset.
    var index: UInt64 = 0
    /// Media time in nanoseconds.
    var start: Int64 = 0
    /// Up to the start of the next one; of the newest: so far.
    var duration: Int64 = 0
    /// The run of the pipeline it came from.
    var epoch: UInt32 = 0
    /// The clocks when its first frame came.
    var wall = WallTimes()
}

/// What the host's clocks showed at one moment, in nanoseconds.
struct WallTimes: Equatable, Sendable {
    var monotonic: Int64 = 0
    var boottime: Int64 = 0
    var realtime: Int64 = 0
}

/// Where segments begin in the ring. Memory of its own, made once; the oldest entry goes where it is full.
struct SegmentTable: ~Copyable {
    struct Entry: Sendable {
        var segment = Segment()
        var first: UInt64 = 0
        var format: UInt16 = 0
    }

    /// Nanoseconds.
    static let length: Int64 = 1_000_000_000
    /// Durations are rounded: half a second twice is one second.
    private static let rounding: Int64 = 1_000_000

    let capacity: Int
    private let entries: UnsafeMutablePointer<Entry>
    private let isOwn: Bool
    /// Numbers that count up: of the oldest entry, and of the next one. They go on over a reset and in the next process.
    /// Only of the newest entry, if it is taken out again, and of those that a power cut took, the next ones get them.
    private(set) var tail: UInt64 = 0
    private(set) var head: UInt64 = 0
    /// The index that the next segment gets.
    private(set) var nextIndex: UInt64 = 0

    init(capacity: Int) {
        self.capacity = max(2, capacity)
        entries = .allocate(capacity: self.capacity)
        entries.initialize(repeating: Entry(), count: self.capacity)
        isOwn = true
    }

    /// In memory that outlives it, of `capacity` entries.
    init(_ entries: UnsafeMutablePointer<Entry>, capacity: Int) {
        (self.entries, self.capacity) = (entries, capacity)
        isOwn = false
    }

    deinit { if isOwn { entries.deallocate() } }

    /// Takes on what lies in its memory already: the newest entries for which `isValid` says so.
    mutating func restore(
        tail: UInt64, head: UInt64, nextIndex: UInt64, isValid: (Entry, _ newer: Entry?) -> Bool
    ) {
        (self.tail, self.head, self.nextIndex) = (head, head, nextIndex)
        guard tail <= head, head - tail <= UInt64(capacity) else { return }
        // Where none is kept, numbers go on behind those that were.
        defer { if self.tail == self.head { (self.tail, self.head) = (head, head) } }
        var next = head
        while next > tail {
            let entry = entries[slot(next - 1)]
            let newer = next < self.head ? entries[slot(next)] : nil
            if isValid(entry, newer) {
                next -= 1
                self.tail = next
            } else if newer == nil {
                // The newest frames were not fit to be kept.
                next -= 1
                (self.tail, self.head) = (next, next)
            } else {
                return
            }
        }
    }

    /// Memory for one entry, in bytes.
    static var stride: Int { MemoryLayout<Entry>.stride }

    var count: Int { Int(head - tail) }

    /// A key frame was stored at `sequence`.
    /// - Thread: stream.
    mutating func begin(_ frame: Frame, at sequence: UInt64, _ wall: WallTimes) {
        if head > tail {
            let last = entries[slot(head - 1)]
            let isSame = last.segment.epoch == frame.epoch && last.format == frame.format
            if isSame, frame.pts &- last.segment.start < Self.length - Self.rounding { return }
        }
        if count == capacity { tail += 1 }
        entries[slot(head)] = Entry(
            segment: Segment(index: nextIndex, start: frame.pts, epoch: frame.epoch, wall: wall), first: sequence,
            format: frame.format)
        head += 1
        nextIndex += 1
    }

    /// All before `sequence` was evicted: a segment that lacks its beginning is none.
    mutating func evict(before sequence: UInt64) {
        while head > tail, entries[slot(tail)].first < sequence { tail += 1 }
    }

    /// All from `sequence` on was taken out again. Somebody may have seen the index of a segment that goes: none gets it
    /// again.
    mutating func remove(from sequence: UInt64) {
        while head > tail, entries[slot(head - 1)].first >= sequence { head -= 1 }
    }

    mutating func reset() {
        tail = head
        nextIndex = 0
    }

    /// Copies `limit` entries at most from `number` on, without asking for memory where `copy` has room; the number after
    /// them.
    /// - Precondition: `tail <= number <= head`.
    borrowing func copy(from number: UInt64, limit: Int, to copy: inout [Entry]) -> UInt64 {
        let end = min(head, number + UInt64(limit))
        for number in number..<end { copy.append(entries[slot(number)]) }
        return end
    }

    /// What entries say that follow each other; `end` closes the newest.
    static func segments(_ entries: some BidirectionalCollection<Entry>, until end: Int64) -> [Segment] {
        var found: [Segment] = []
        found.reserveCapacity(entries.count)
        var next = end
        for entry in entries.reversed() {
            var segment = entry.segment
            segment.duration = max(0, next &- segment.start)
            next = segment.start
            found.append(segment)
        }
        found.reverse()
        return found
    }

    /// Oldest first; `end` closes the newest.
    borrowing func all(until end: Int64) -> [Segment] {
        var entries: [Entry] = []
        _ = copy(from: tail, limit: count, to: &entries)
        return Self.segments(entries, until: end)
    }

    private func slot(_ number: UInt64) -> Int { Int(number % UInt64(capacity)) }
}
