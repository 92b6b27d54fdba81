internal import CGLib
internal import CSoup
internal import GStreamerKit

/// The connections of one listening socket: how many there are, and when the next is too slow.
///
/// Ownership: holds its connections until they end.
/// - Thread: main.
@HostActor
final class ConnectionTable {
    let limits: ConnectionLimits
    private let clock: any HostClock
    private var connections: [UInt64: ControlConnection] = [:]
    private var lastID: UInt64 = 0
    private var timer: HostTimer?
    private var due: ClockTime?
    private(set) var isStopped = false
    /// Of long answers that are being written.
    private(set) var heldBytes = 0
    /// There is room for another one again.
    var onRoom: (@HostActor () -> Void)?

    nonisolated init(_ limits: ConnectionLimits, clock: any HostClock) {
        self.limits = limits
        self.clock = clock
    }

    var count: Int { connections.count }
    /// Nobody is accepted then.
    var isFull: Bool { connections.count >= limits.most }
    /// Answers end their connections then, so that those who wait get their turn.
    var isCrowded: Bool { isStopped || connections.count > limits.most / 4 * 3 }

    var phases: [ConnectionLife.Phase] { connections.values.map(\.life.phase) }
    var newest: ControlConnection? { connections[lastID] }

    func now() -> ClockTime { clock.coarse() }

    /// Takes a connection on. Where it was the last place, a connection that waits for nothing makes room.
    /// - Parameter server, local: borrowed; see `ControlConnection.begin`.
    func add(
        _ stream: UnsafeMutablePointer<GSocketConnection>, from origin: ControlConnection.Origin,
        to server: UnsafeMutablePointer<SoupServer>, _ local: UnsafeMutablePointer<GSocketAddress>
    ) {
        guard !isStopped else { return }
        lastID += 1
        let connection = ControlConnection(stream, id: lastID, from: origin, in: self)
        connections[lastID] = connection
        connection.begin(server, local)
        if let ends = origin.ends { makeRoom(besides: ends.network) }
        if isFull { oldestIdle?.close() }
    }

    /// Has room for a long answer: one alone always has, whatever it takes. Who has had one for longest makes room for it, where that
    /// is longer than anybody takes who reads.
    func hold(_ bytes: Int) -> Bool {
        while heldBytes > 0, heldBytes + bytes > limits.mostHeldBytes {
            let oldest = connections.values.filter { $0.holdsSince != nil }
                .min { ($0.holdsSince ?? .zero) < ($1.holdsSince ?? .zero) }
            guard let oldest, let since = oldest.holdsSince, now() - since >= limits.reading else { return false }
            oldest.close()
        }
        heldBytes += bytes
        return true
    }

    func giveBack(_ bytes: Int) { heldBytes -= bytes }

    /// The oldest of an address that has too many which have asked nothing yet goes.
    private func makeRoom(besides network: String) {
        let heads = connections.values.filter { connection in
            connection.life.phase == .head && connection.origin.ends?.network == network
        }
        if heads.count > limits.mostHeadsOfOne { heads.min { $0.id < $1.id }?.close() }
    }

    /// Lets a client hear why it is not taken on.
    func turnAway(_ stream: UnsafeMutablePointer<GSocketConnection>, _ error: ControlError) {
        guard !isStopped else { return }
        lastID += 1
        let connection = ControlConnection(stream, id: lastID, from: .local, in: self)
        connections[lastID] = connection
        connection.turnAway(ControlResponse(error))
    }

    /// All is closed, and nothing is accepted any more.
    func stop() {
        isStopped = true
        for connection in Array(connections.values) { connection.close() }
        timer?.cancel()
        timer = nil
    }

    func remove(_ connection: ControlConnection) {
        let wasFull = isFull
        guard connections.removeValue(forKey: connection.id) != nil else { return }
        if wasFull, !isStopped { onRoom?() }
    }

    /// A connection has a deadline now; one that has moved further away is found out when it would have been due.
    func isDue(at deadline: ClockTime?) {
        guard let deadline, !isStopped, due.map({ deadline < $0 }) ?? true else { return }
        timer?.cancel()
        due = deadline
        timer = clock.schedule(after: deadline - clock.monotonic()) { [weak self] in self?.sweep() }
    }

    private func sweep() {
        due = nil
        timer = nil
        let now = clock.monotonic()
        for connection in Array(connections.values) { connection.expire(at: now) }
        // The clock that deadlines are made with may be a little behind.
        isDue(at: connections.values.compactMap(\.life.deadline).min().map { max($0, now + clock.coarseTick) })
    }

    private var oldestIdle: ControlConnection? {
        connections.values.filter { $0.life.phase == .idle }.min {
            ($0.life.deadline ?? .zero) < ($1.life.deadline ?? .zero)
        }
    }
}
