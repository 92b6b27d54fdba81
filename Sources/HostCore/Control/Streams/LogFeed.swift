/// The log as a stream of its own: its lines are no events, so no plugin and no rule is told of them.
///
/// Nothing on this way writes to the log.
/// - Thread: main.
@HostActor
public final class LogFeed {
    private nonisolated static let mostBytes = 512 << 10

    let feed: StreamFeed
    private let memory: LogMemory

    /// Takes what the log remembers, and listens from now on.
    /// - Parameter boot: tells this start of the host from others.
    public init(_ memory: LogMemory, boot: UInt64, server: StreamServer) {
        self.memory = memory
        var last: UInt64 = 0
        let feed = StreamFeed(boot: boot, mostBytes: Self.mostBytes) { feed in
            let (records, lost) = memory.take()
            if lost > 0, let first = records.first {
                last += 1
                feed.add(Self.entry(.lost(lost, at: first), last))
            }
            for record in records {
                last += 1
                feed.add(Self.entry(record, last))
            }
            return false
        }
        self.feed = feed
        // The feed keeps the memory, which must not keep the feed.
        memory.listen { [weak server, weak feed] in
            HostActor.enqueue { if let feed { server?.changed(feed) } }
        }
    }

    func stop() { memory.listen(nil) }

    /// The last lines that pass a filter, the oldest first, as JSON.
    func lines(_ count: Int, _ filter: StreamFilter) -> [UInt8] {
        feed.refreshWholly()
        var cursor = StreamCursor(.last(count), follows: false, filter: filter, boot: feed.boot, in: feed.backlog)
        var text = Array(#"{"lines":["#.utf8)
        while let item = cursor.take(from: feed.backlog) {
            guard case .entry(let entry) = item else { continue }
            if text.last != UInt8(ascii: "[") { text.append(UInt8(ascii: ",")) }
            text += entry.json
        }
        return text + "]}\n".utf8
    }

    private static func entry(_ record: LogMemory.Record, _ sequence: UInt64) -> StreamEntry {
        let entry = record.entry
        var members: [Value.Member] = [
            .init("time", .string(DateText.iso(record.realtime))),
            .init("monotonic_ns", .int(record.monotonic.nanoseconds)), .init("level", .string("\(entry.level)")),
            .init("source", .string(entry.source)), .init("text", .string(entry.text)),
        ]
        if let element = entry.element { members.append(.init("element", .string(element))) }
        if let code = entry.code { members.append(.init("code", .string(code))) }
        return StreamEntry(
            sequence: sequence, name: "log.\(entry.level)", source: entry.source,
            json: Array(JSONText.render(.map(members)).utf8))
    }
}

extension LogMemory.Record {
    /// In the place of lines that nobody can read any more.
    fileprivate static func lost(_ count: Int, at next: LogMemory.Record) -> LogMemory.Record {
        var record = next
        record.entry = LogEntry(.warning, source: "host", "\(count) lines before this one came too fast to be kept")
        return record
    }
}
