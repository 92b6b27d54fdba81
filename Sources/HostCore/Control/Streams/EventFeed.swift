/// The stream of everything that the `EventHub` tells.
///
/// Whoever posts an event pays for its place in a list; what it looks like is made later, in a turn of its own.
/// - Thread: main.
@HostActor
public final class EventFeed {
    /// Events that wait to be made into text. Where a single turn posts more, they are made at once.
    private nonisolated static let mostWaiting = 4096
    /// Made in one turn: half of what the backlog holds, so that nobody misses any who reads.
    private nonisolated static let mostPerTurn = StreamFeed.mostEntries / 2

    private(set) var feed: StreamFeed
    private let waiting: Waiting
    private let server: StreamServer
    private var unsubscribe: (@HostActor () -> Void)?

    /// Listens from now on.
    /// - Parameter mask: hides secrets in a payload.
    public init(_ events: EventHub, server: StreamServer, mask: @escaping @HostActor (Value) -> Value) {
        self.server = server
        let waiting = Waiting()
        self.waiting = waiting
        feed = StreamFeed(boot: events.bootID) { feed in
            for event in waiting.take(Self.mostPerTurn) { feed.add(Self.entry(event, mask)) }
            return !waiting.isEmpty
        }
        unsubscribe = events.subscribe { [weak self] in self?.happened($0) }
    }

    /// Listens no more.
    func stop() {
        unsubscribe?()
        unsubscribe = nil
    }

    private func happened(_ event: Event) {
        waiting.append(event)
        if waiting.count > Self.mostWaiting { _ = feed.refresh() }
        server.changed(feed)
    }

    private static func entry(_ event: Event, _ mask: (Value) -> Value) -> StreamEntry {
        func json(_ payload: Value, _ more: [Value.Member] = []) -> [UInt8] {
            let value: Value = .map(
                [
                    .init("name", .string(event.name)), .init("source", .string(event.source)),
                    .init("payload", payload), .init("time", .string(DateText.iso(event.realtime))),
                    .init("monotonic_ns", .int(event.monotonic.nanoseconds)),
                    .init("cause", event.cause.map { .int(Int64(clamping: $0)) } ?? .null),
                    .init("depth", .int(Int64(event.depth))),
                ] + more)
            return Array(JSONText.render(value).utf8)
        }
        var text = json(mask(event.payload))
        if text.count > StreamFeed.longestEntryBytes {
            text = json(.null, [.init("truncated_bytes", .int(Int64(text.count)))])
        }
        return StreamEntry(sequence: event.sequence, name: event.name, source: event.source, json: text)
    }

    /// A list that is taken from at its front.
    private final class Waiting {
        private var events: [Event] = []
        private var taken = 0

        var count: Int { events.count - taken }
        var isEmpty: Bool { count == 0 }

        func append(_ event: Event) { events.append(event) }

        func take(_ most: Int) -> [Event] {
            let end = min(events.count, taken + most)
            let some = Array(events[taken..<end])
            taken = end
            if taken == events.count {
                events.removeAll(keepingCapacity: taken <= 256)
                taken = 0
            } else if taken > events.count / 2 {
                // Each is moved once at most, on average; where there is always more, what was told goes all the same.
                events.removeFirst(taken)
                taken = 0
            }
            return some
        }
    }
}
