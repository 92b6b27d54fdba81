internal import CGLib
internal import Glibc

/// Waits for the sockets of all streams at once: one file in the loop of the host, however many clients there are.
///
/// A loop looks at each of its files in each turn; a thousand idle clients would make every turn slower.
///
/// Ownership: owns the set, not the files in it; `remove` a file before it is closed.
/// - Thread: main.
@HostActor
final class StreamPoller {
    typealias Handler =
        @HostActor @Sendable (_ id: UInt64, _ isReadable: Bool, _ isWritable: Bool, _ isGone: Bool)
        -> Void

    /// Told of in one turn; the others have theirs in the next.
    private nonisolated static let mostPerTurn = 64

    private let file: Int32
    private var source: FileSource?

    /// - Throws: where the system has no file for the set.
    init(_ handler: @escaping Handler) throws(ControlError) {
        file = mh_poll_set_new()
        guard file >= 0 else {
            throw ControlError(.failed, "cannot wait for clients: \(ControlSocket.text(of: errno))")
        }
        source = FileSource(file, UInt32(G_IO_IN.rawValue)) { [file] _ in
            var ready = [mh_poll_ready](repeating: mh_poll_ready(), count: Self.mostPerTurn)
            let count = mh_poll_set_ready(file, &ready, Int32(ready.count))
            guard count > 0 else { return }
            for one in ready[..<Int(count)] {
                handler(one.id, one.readable != 0, one.writable != 0, one.gone != 0)
            }
        }
    }

    isolated deinit {
        source?.close()
        if file >= 0 { close(file) }
    }

    /// - Returns: false where the system does not.
    func add(_ descriptor: Int32, id: UInt64) -> Bool { mh_poll_set_add(file, descriptor, id) == 0 }

    /// That the other side has gone is told in any case.
    func change(_ descriptor: Int32, id: UInt64, reads: Bool, writes: Bool) {
        _ = mh_poll_set_change(file, descriptor, id, reads ? 1 : 0, writes ? 1 : 0)
    }

    func remove(_ descriptor: Int32) { _ = mh_poll_set_remove(file, descriptor) }
}
