/// What is kept of a stream so that a decoder can begin anew in its middle: all that came since the last key frame whose time
/// has come, and what is still ahead of its time. Events keep their places between the buffers.
///
/// ```
///   dropped ◀── │ key  delta  delta  …  (now)  …  delta  key  delta │ ◀── append
/// ```
/// A value without pads and clocks; whoever uses it owns the items.
struct KeyFrameQueue<Item> {
    enum Kind: Equatable {
        /// A buffer that a decoder can begin with, and its running time where it has one.
        case key(ClockTime?)
        case delta
        case event
    }

    private struct Entry {
        var item: Item
        var kind: Kind
        var bytes: Int
    }

    private var entries: [Entry] = []
    /// What lies before it was taken out.
    private var head = 0
    /// The number of the first entry that is kept; they are counted as they come.
    private var gone = 0
    /// The numbers of the key frames that are kept, oldest first.
    private var keys: [Int] = []
    private(set) var bytes = 0

    var isEmpty: Bool { head == entries.count }
    var count: Int { entries.count - head }
    var first: Item? { isEmpty ? nil : entries[head].item }
    var last: Item? { isEmpty ? nil : entries.last?.item }

    /// Whether it begins with a key frame.
    var beginsWithKey: Bool { keys.first == gone }

    mutating func append(_ item: Item, _ kind: Kind, bytes size: Int) {
        if case .key = kind { keys.append(gone + count) }
        entries.append(Entry(item: item, kind: kind, bytes: size))
        bytes += size
    }

    /// Before all that is kept, which came after it.
    mutating func prepend(_ item: Item, _ kind: Kind, bytes size: Int) {
        gone -= 1
        if case .key = kind { keys.insert(gone, at: 0) }
        entries.insert(Entry(item: item, kind: kind, bytes: size), at: head)
        bytes += size
    }

    /// Puts an event in the place of the last one.
    /// - Returns: that one.
    mutating func replaceLast(with item: Item) -> Item? {
        guard !isEmpty, entries[entries.count - 1].kind == .event else { return nil }
        defer { entries[entries.count - 1].item = item }
        return entries[entries.count - 1].item
    }

    /// Lets go of what lies before the newest key frame that is due at `now`; one without a time is due at once.
    /// - Returns: whether there is one, and so the first.
    mutating func advance(to now: ClockTime, _ drop: (Item, Kind) -> Void) -> Bool {
        guard let number = keys.last(where: { isDue($0, now) }) else { return false }
        while gone < number { removeFirst(drop) }
        return true
    }

    /// Lets go of what lies before the first key frame, or of all.
    mutating func dropToKey(_ drop: (Item, Kind) -> Void) {
        while !isEmpty, !beginsWithKey { removeFirst(drop) }
    }

    mutating func popFirst() -> Item? {
        var item: Item?
        if !isEmpty { removeFirst { first, _ in item = first } }
        return item
    }

    mutating func removeAll(_ drop: (Item, Kind) -> Void) {
        while !isEmpty { removeFirst(drop) }
    }

    /// Lets go of all but the events.
    mutating func dropBuffers(_ drop: (Item) -> Void) {
        let all = entries[head...]
        (entries, head, keys, bytes) = ([], 0, [], 0)
        for entry in all {
            if entry.kind == .event { append(entry.item, .event, bytes: entry.bytes) } else { drop(entry.item) }
        }
    }

    private func isDue(_ number: Int, _ now: ClockTime) -> Bool {
        guard case .key(let time) = entries[head + number - gone].kind else { return false }
        return time.map { $0 <= now } ?? true
    }

    private mutating func removeFirst(_ drop: (Item, Kind) -> Void) {
        let entry = entries[head]
        if keys.first == gone { keys.removeFirst() }
        head += 1
        gone += 1
        bytes -= entry.bytes
        drop(entry.item, entry.kind)
        guard head == entries.count || (head >= 256 && head * 2 >= entries.count) else { return }
        entries.removeSubrange(..<head)
        head = 0
    }
}
