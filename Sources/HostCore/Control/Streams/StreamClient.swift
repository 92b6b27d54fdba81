internal import CGLib
internal import GStreamerKit
internal import Glibc

/// One client of a stream: its socket, its place, and the rest of what the socket did not take.
///
/// Ownership: owns the descriptor and closes it with itself.
/// - Thread: main.
@HostActor
final class StreamClient {
    enum Outcome: Sendable, Equatable {
        /// Told all there is.
        case idle
        /// The socket takes no more for now.
        case blocked
        /// Had its share of this turn.
        case more
        /// Nothing will follow, or the client has gone.
        case over
    }

    /// What the timer finds.
    enum Due: Sendable, Equatable {
        case none
        case serve
        /// It has taken nothing for too long.
        case letGo
    }

    /// What the kernel keeps for a client that does not read: it doubles this.
    nonisolated static let socketBufferBytes: Int32 = 32 << 10
    /// Written at once.
    private nonisolated static let chunkBytes = 16 << 10
    /// Chunks in one turn.
    private nonisolated static let share = 4
    /// A client of a stream has nothing more to say. Who says more than this is no such client.
    private nonisolated static let mostReadBytes = 64 << 10

    let id: UInt64
    let descriptor: Int32
    let feed: StreamFeed
    let origin: RequestOrigin
    private var cursor: StreamCursor
    /// What it wants to be told of beside what happens anyway.
    private let companion: PropertyHold?
    /// Made, and not taken by the socket yet; empty most of the time.
    private var rest: [UInt8]
    private var readBytes = 0
    /// Whether it waits in the queue of those that are to be served.
    var isQueued = false
    private(set) var isBlocked = false
    /// Whether the client may still send.
    private(set) var isOpenForReading = true
    /// Set by the timer, unset by whatever is written.
    private(set) var isQuiet = false
    private var owesKeepAlive = false
    /// When the timer first saw that the socket takes nothing, as it does still.
    private var blockedSince: ClockTime?

    init(
        _ descriptor: Int32, id: UInt64, feed: StreamFeed, cursor: StreamCursor, companion: PropertyHold? = nil,
        origin: RequestOrigin = .local
    ) {
        self.companion = companion
        self.origin = origin
        self.descriptor = descriptor
        self.id = id
        self.feed = feed
        self.cursor = cursor
        rest = EventStreamText.head
        var size = Self.socketBufferBytes
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        // A client whose machine has gone keeps no more room in the socket either. Of TCP; a unix socket has no such thing.
        var patience = UInt32(clamping: StreamServer.patience.nanoseconds / 1_000_000)
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &patience, socklen_t(MemoryLayout<UInt32>.size))
        let flags = fcntl(descriptor, F_GETFL)
        if flags >= 0 { _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
    }

    isolated deinit { close(descriptor) }

    /// The number of the first entry it has not been told.
    var place: UInt64 { cursor.next }

    func leaves(_ entry: StreamEntry) { cursor.leaves(entry) }

    /// The socket takes more again.
    func unblock() {
        isBlocked = false
        blockedSince = nil
    }

    /// Where nothing was written since the call before it is due for a sign of life.
    func tick(at now: ClockTime) -> Due {
        defer { isQuiet = true }
        guard !isBlocked else {
            let since = blockedSince ?? now
            blockedSince = since
            return now - since >= StreamServer.patience ? .letGo : .none
        }
        guard isQuiet else { return .none }
        owesKeepAlive = true
        return .serve
    }

    /// Writes as much as there is, the socket takes and is its share.
    /// - Parameters:
    ///   - scratch: memory that is used again; its contents do not matter.
    ///   - isLast: nobody will ask again, so no share holds.
    func write(_ scratch: inout [UInt8], isLast: Bool = false) -> Outcome {
        guard !isBlocked else { return .blocked }
        if !rest.isEmpty {
            let bytes = rest
            rest = []
            if let outcome = send(bytes) { return outcome }
        }
        var chunks = 0
        while isLast || chunks < Self.share {
            chunks += 1
            scratch.removeAll(keepingCapacity: true)
            fill(&scratch)
            if scratch.isEmpty {
                guard owesKeepAlive else { return cursor.isAtEnd(of: feed.backlog) ? .over : .idle }
                scratch += EventStreamText.keepAlive
            }
            owesKeepAlive = false
            if let outcome = send(scratch) { return outcome }
        }
        return .more
    }

    /// Reads and forgets: the request was whole.
    /// - Returns: false where the client is to be let go.
    func read() -> Bool {
        var piece = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &piece, piece.count, Int32(MSG_DONTWAIT))
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        // Who only closed its sending side listens on; a hang-up is told apart.
        if count == 0 { isOpenForReading = false }
        readBytes += count
        return readBytes <= Self.mostReadBytes
    }

    private func fill(_ text: inout [UInt8]) {
        while text.count < Self.chunkBytes, let item = cursor.take(from: feed.backlog) {
            switch item {
            case .gap(let gap, let next): EventStreamText.append(gap, before: next, boot: feed.boot, to: &text)
            case .entry(let entry): EventStreamText.append(entry, boot: feed.boot, to: &text)
            }
        }
    }

    /// - Returns: nil where all of it was taken.
    private func send(_ bytes: [UInt8]) -> Outcome? {
        isQuiet = false
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { memory in
                Glibc.send(
                    descriptor, memory.baseAddress?.advanced(by: sent), memory.count - sent,
                    Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count > 0 {
                sent += count
                continue
            }
            if count < 0, errno == EINTR { continue }
            guard count < 0, errno == EAGAIN || errno == EWOULDBLOCK else { return .over }
            rest = Array(bytes[sent...])
            isBlocked = true
            return .blocked
        }
        return nil
    }
}
