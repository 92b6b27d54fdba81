/// Times with who waits for them, earliest first; of two at one time the older comes first.
struct TimerHeap: Sendable {
    struct Entry: Sendable, Comparable {
        var time: Int64
        var id: UInt64
        /// Which arming of `id` it belongs to: entries of others are stale.
        var round: UInt64

        static func < (left: Entry, right: Entry) -> Bool { (left.time, left.id) < (right.time, right.id) }
    }

    private(set) var entries: [Entry] = []

    var first: Entry? { entries.first }

    mutating func push(_ entry: Entry) {
        entries.append(entry)
        var place = entries.count - 1
        while place > 0 {
            let parent = (place - 1) / 2
            guard entries[place] < entries[parent] else { return }
            entries.swapAt(place, parent)
            place = parent
        }
    }

    @discardableResult
    mutating func pop() -> Entry? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        guard !entries.isEmpty else { return first }
        entries[0] = last
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < entries.count && entries[child] < entries[least] {
                least = child
            }
            guard least != place else { return first }
            entries.swapAt(place, least)
            place = least
        }
    }

    /// Drops what is stale.
    mutating func keep(where isWanted: (Entry) -> Bool) {
        let wanted = entries.filter(isWanted)
        entries = []
        for entry in wanted { push(entry) }
    }
}
