/// What a stream told last, as much as it may keep: for clients that are behind, or come back.
///
/// Clients have no queues of their own but places in this one, so what all of them together can cost is its bound.
struct StreamBacklog: Sendable {
    private let mostEntries: Int
    private let mostBytes: Int
    /// What is before `head` has left already.
    private var entries: [StreamEntry?] = []
    private var head = 0
    private var bytes = 0
    /// The number of the oldest entry that is here, or of the next one where none is.
    private(set) var first: UInt64 = 1

    init(mostEntries: Int, mostBytes: Int) {
        self.mostEntries = max(1, mostEntries)
        self.mostBytes = mostBytes
    }

    var count: Int { entries.count - head }
    /// The number of the entry that comes next.
    var next: UInt64 { first + UInt64(count) }

    /// Keeps an entry and lets as many of the oldest go as that takes; the newest stays, however large.
    /// - Parameter leave: called with each that goes, in order, while it can still be looked at.
    mutating func append(_ entry: StreamEntry, leave: (StreamEntry) -> Void) {
        if entry.sequence != next {
            // Somebody counted without telling; nothing before it can be found by its number any more.
            while count > 0 { removeFirst(leave) }
            first = entry.sequence
        }
        entries.append(entry)
        bytes += entry.bytes
        while count > mostEntries || (bytes > mostBytes && count > 1) { removeFirst(leave) }
    }

    /// The entry with that number, if it is still here.
    subscript(sequence: UInt64) -> StreamEntry? {
        guard sequence >= first, sequence < next else { return nil }
        return entries[head + Int(sequence - first)]
    }

    /// From where there are `count` entries that pass a filter, or as many as there are.
    func start(ofLast count: Int, _ filter: StreamFilter) -> UInt64 {
        var place = next
        var missing = count
        while missing > 0, place > first {
            place -= 1
            if let entry = self[place], filter.takes(entry) { missing -= 1 }
        }
        return place
    }

    private mutating func removeFirst(_ leave: (StreamEntry) -> Void) {
        if let entry = entries[head] {
            leave(entry)
            bytes -= entry.bytes
        }
        entries[head] = nil
        head += 1
        first += 1
        // Each entry is moved once on its way out, on average.
        guard head > entries.count / 2 else { return }
        entries.removeFirst(head)
        head = 0
    }
}
