/// The place of one client in a stream, and what it has lost. Its queue is the part of the backlog behind that place.
struct StreamCursor: Sendable {
    enum Item: Sendable, Equatable {
        /// - Parameter before: the number of the entry that follows the lost part.
        case gap(StreamGap, before: UInt64)
        case entry(StreamEntry)
    }

    private let filter: StreamFilter
    /// The number of the first entry it has not looked at.
    private(set) var next: UInt64
    /// Where it ends; nil: never.
    private let end: UInt64?
    /// What it is to be told before anything else.
    private var gap: StreamGap?

    /// - Parameters:
    ///   - boot: of the stream.
    ///   - follows: whether it goes on with what is yet to come.
    init(_ start: StreamStart, follows: Bool, filter: StreamFilter, boot: UInt64, in backlog: StreamBacklog) {
        self.filter = filter
        end = follows ? nil : backlog.next
        switch start {
        case .now: next = backlog.next
        case .oldest: next = backlog.first
        case .last(let count): next = backlog.start(ofLast: count, filter)
        case .after(let seen) where seen.boot != boot:
            next = backlog.first
            gap = StreamGap(reason: .restart, lost: nil)
        case .after(let seen) where seen.sequence >= backlog.next:
            next = backlog.first
            gap = StreamGap(reason: .unknown, lost: nil)
        case .after(let seen):
            next = seen.sequence + 1
            skipMissing(in: backlog, .expired)
        }
    }

    /// The oldest entry leaves the backlog. Call it for each, in order.
    mutating func leaves(_ entry: StreamEntry) {
        guard entry.sequence >= next else { return }
        next = entry.sequence + 1
        if let end, entry.sequence >= end { return }
        if filter.takes(entry) { lose(1, .slow) }
    }

    /// What the client is to be sent next; nil: nothing for now.
    mutating func take(from backlog: StreamBacklog) -> Item? {
        skipMissing(in: backlog, .slow)
        if let gap {
            self.gap = nil
            return .gap(gap, before: next)
        }
        while next < limit(backlog), let entry = backlog[next] {
            next += 1
            if filter.takes(entry) { return .entry(entry) }
        }
        return nil
    }

    /// Whether nothing will ever follow.
    func isAtEnd(of backlog: StreamBacklog) -> Bool {
        guard let end else { return false }
        return gap == nil && next >= end
    }

    private func limit(_ backlog: StreamBacklog) -> UInt64 { min(end ?? .max, backlog.next) }

    /// Nobody can tell which of those that are gone would have passed a filter.
    private mutating func skipMissing(in backlog: StreamBacklog, _ reason: StreamGap.Reason) {
        guard next < backlog.first else { return }
        lose(filter.isEverything ? backlog.first - next : nil, reason)
        next = backlog.first
    }

    private mutating func lose(_ count: UInt64?, _ reason: StreamGap.Reason) {
        guard let gap else {
            self.gap = StreamGap(reason: reason, lost: count)
            return
        }
        if let before = gap.lost, let count { self.gap?.lost = before + count } else { self.gap?.lost = nil }
    }
}
