/// One stream: what it told last, and where what is new comes from.
///
/// - Thread: main.
@HostActor
final class StreamFeed {
    /// Half a minute of a busy host, a day of a quiet one.
    nonisolated static let mostEntries = 1024
    nonisolated static let mostBytes = 1 << 20
    /// An entry whose JSON is longer than this tells only that it was.
    nonisolated static let longestEntryBytes = 64 << 10

    let boot: UInt64
    private(set) var backlog: StreamBacklog
    /// Moves some of what has happened meanwhile into the backlog. Returns whether there is more.
    private let collect: @HostActor (StreamFeed) -> Bool
    /// Told of each entry that leaves the backlog.
    var onLeave: (@HostActor (StreamEntry) -> Void)?
    /// Nobody is told before this number; those who leave before it concern no client.
    var lowestPlace: UInt64 = 0

    init(
        boot: UInt64, mostEntries: Int = StreamFeed.mostEntries, mostBytes: Int = StreamFeed.mostBytes,
        collect: @escaping @HostActor (StreamFeed) -> Bool
    ) {
        self.boot = boot
        backlog = StreamBacklog(mostEntries: mostEntries, mostBytes: mostBytes)
        self.collect = collect
    }

    /// Takes as much of what is new as clients can be told before it leaves again.
    /// - Returns: whether there is more.
    func refresh() -> Bool { collect(self) }

    /// Takes all that is new.
    func refreshWholly() { while collect(self) {} }

    func add(_ entry: StreamEntry) {
        backlog.append(entry) { [lowestPlace] in if $0.sequence >= lowestPlace { onLeave?($0) } }
    }
}
