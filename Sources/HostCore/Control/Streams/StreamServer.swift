internal import CGLib
public import GStreamerKit

/// The clients of all streams. Each has a place in its stream and no thread, no queue and no source of its own; they are
/// served in turns, a few in each, so nobody waits for them.
///
/// Descriptors that are given to it are its own from then on.
/// - Thread: main.
@HostActor
public final class StreamServer {
    /// How often a client that hears of nothing is shown that the host is there.
    public nonisolated static let keepAlive = ClockTime.seconds(15)
    /// A client that takes nothing of what there is for it for so long has stopped reading: its place is wanted. With the id
    /// that it saw last it comes back, and is told how much it has lost.
    public nonisolated static let patience = ClockTime.seconds(60)
    /// Clients beyond the limit that do not follow.
    private nonisolated static let mostReaders = 16
    /// Clients served in one turn of the loop.
    private nonisolated static let mostPerTurn = 32

    private let clock: any HostClock
    private var places: SharedPlaces
    private var clients: [UInt64: StreamClient] = [:]
    private var lastID: UInt64 = 0
    private var poller: StreamPoller?
    private var timer: HostTimer?
    /// Those that there is something for, in the order in which it came; what is before `served` has been.
    private var queue: [StreamClient] = []
    private var served = 0
    private var isScheduled = false
    private var changed: [StreamFeed] = []
    private var scratch: [UInt8] = []
    private var isStopped = false

    /// - Parameter limit: how many clients there may be at one time.
    public init(clock: any HostClock, limit: Int) {
        self.clock = clock
        places = SharedPlaces(limit)
    }

    public var count: Int { clients.count }

    /// Why nobody can be taken on now; nil: it can.
    ///
    /// - Parameters:
    ///   - follows: one that only reads what there is goes soon: it is taken on beside those that stay.
    ///   - origin: by which way it came.
    func refusal(follows: Bool, from origin: RequestOrigin = .local) -> ControlError? {
        if isStopped { return ControlError(.busy, "the host is stopping") }
        if places.hasRoom(for: origin, extra: follows ? 0 : Self.mostReaders) { return nil }
        return ControlError(
            .busy,
            "\(clients.count) clients follow events and logs, and `control: stream-clients:` allows no more, "
                + "over the network half of it: try again later"
        )
    }

    /// Takes a connection on, whose request was read and not answered yet. Closes it where it cannot.
    /// - Parameter companion: is kept as long as the client.
    func begin(
        _ descriptor: Int32, _ feed: StreamFeed, _ start: StreamStart, follows: Bool, _ filter: StreamFilter,
        with companion: PropertyHold? = nil, from origin: RequestOrigin = .local
    ) {
        prepare(feed)
        // Who listens on hears of it in time; who does not is to see all that there was.
        if !follows { feed.refreshWholly() }
        lastID += 1
        let client = StreamClient(
            descriptor, id: lastID, feed: feed,
            cursor: StreamCursor(start, follows: follows, filter: filter, boot: feed.boot, in: feed.backlog),
            companion: companion, origin: origin)
        guard !isStopped, let poller = poller ?? makePoller(), poller.add(descriptor, id: client.id) else { return }
        clients[client.id] = client
        places.take(origin)
        feed.lowestPlace = min(feed.lowestPlace, client.place)
        enqueue(client)
        if timer == nil { armTimer() }
    }

    /// Ends the streams of those who came by one way.
    func end(from origin: RequestOrigin) {
        for client in clients.values where client.origin == origin { remove(client.id) }
    }

    /// Something is new in a stream. Its clients hear of it soon; whoever calls goes on at once.
    func changed(_ feed: StreamFeed) {
        guard !isStopped else { return }
        if !changed.contains(where: { $0 === feed }) { changed.append(feed) }
        schedule()
    }

    /// Sends everybody what is left, as far as it is taken, and closes. Twice is harmless.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        timer?.cancel()
        var isMore = true
        while isMore {
            isMore = changed.reduce(false) { $1.refresh() || $0 }
            for client in clients.values { _ = client.write(&scratch, isLast: true) }
        }
        changed = []
        for id in Array(clients.keys) { remove(id) }
        queue = []
        poller = nil
    }

    // MARK: Turns

    private func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        HostActor.enqueue { [weak self] in self?.turn() }
    }

    private func turn() {
        isScheduled = false
        guard !isStopped else { return }
        if queue.isEmpty { collect() }
        let end = min(queue.count, served + Self.mostPerTurn)
        while served < end {
            let client = queue[served]
            served += 1
            client.isQueued = false
            serve(client)
        }
        if served == queue.count {
            queue.removeAll(keepingCapacity: queue.count <= 1024)
            served = 0
        }
        if !queue.isEmpty || !changed.isEmpty { schedule() }
    }

    /// Only when everybody has been told of what was collected before: a burst is lost by slow clients, not by all.
    private func collect() {
        changed = changed.filter { feed in
            let isMore = feed.refresh()
            for client in clients.values where client.feed === feed && !client.isBlocked { enqueue(client) }
            return isMore
        }
    }

    private func enqueue(_ client: StreamClient) {
        guard !client.isQueued else { return }
        client.isQueued = true
        queue.append(client)
        schedule()
    }

    private func serve(_ client: StreamClient) {
        guard clients[client.id] != nil else { return }
        switch client.write(&scratch) {
        case .idle: break
        case .blocked: watch(client)
        case .more: enqueue(client)
        case .over: remove(client.id)
        }
    }

    private func watch(_ client: StreamClient) {
        poller?.change(
            client.descriptor, id: client.id, reads: client.isOpenForReading, writes: client.isBlocked)
    }

    private func remove(_ id: UInt64) {
        guard let client = clients.removeValue(forKey: id) else { return }
        places.giveBack(client.origin)
        poller?.remove(client.descriptor)
        guard clients.isEmpty else { return }
        timer?.cancel()
        timer = nil
    }

    // MARK: What happens

    private func makePoller() -> StreamPoller? {
        poller = try? StreamPoller { [weak self] id, isReadable, isWritable, isGone in
            self?.happened(id, isReadable, isWritable, isGone)
        }
        return poller
    }

    private func happened(_ id: UInt64, _ isReadable: Bool, _ isWritable: Bool, _ isGone: Bool) {
        guard let client = clients[id] else { return }
        guard !isGone, !isReadable || client.read() else { return remove(id) }
        if isWritable {
            client.unblock()
            enqueue(client)
        }
        watch(client)
    }

    private func armTimer() {
        timer = clock.schedule(after: Self.keepAlive) { [weak self] in self?.tick() }
    }

    private func tick() {
        let now = clock.monotonic()
        for client in Array(clients.values) {
            switch client.tick(at: now) {
            case .none: break
            case .serve: enqueue(client)
            case .letGo: remove(client.id)
            }
        }
        guard !clients.isEmpty else { return }
        armTimer()
    }

    /// Clients that are behind lose what leaves the backlog.
    private func prepare(_ feed: StreamFeed) {
        guard feed.onLeave == nil else { return }
        feed.onLeave = { [weak self, unowned feed] entry in self?.leaves(entry, feed) }
    }

    private func leaves(_ entry: StreamEntry, _ feed: StreamFeed) {
        var lowest = UInt64.max
        for client in clients.values where client.feed === feed {
            client.leaves(entry)
            lowest = min(lowest, client.place)
        }
        feed.lowestPlace = lowest
    }
}
