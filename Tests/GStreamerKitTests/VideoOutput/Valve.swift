import Glibc
import Locking
import Synchronization

/// Where a streaming thread waits while it is closed.
final class Valve: Sendable {
    private let isClosed = Atomic(false)
    private let isWaited = Atomic(false)

    var isWaitedAt: Bool { isWaited.load(ordering: .acquiring) }
    func close() { isClosed.store(true, ordering: .releasing) }
    func open() { isClosed.store(false, ordering: .releasing) }

    /// Returns when it is open. - Thread: stream.
    func pass() {
        while isClosed.load(ordering: .acquiring) {
            isWaited.store(true, ordering: .releasing)
            usleep(1000)
        }
        isWaited.store(false, ordering: .releasing)
    }
}
