import Dispatch
import Synchronization

/// Where one streaming thread waits while it is closed.
final class Valve: Sendable {
    private let isClosed = Atomic(false)
    private let isWaited = Atomic(false)
    private let opened = DispatchSemaphore(value: 0)

    var isWaitedAt: Bool { isWaited.load(ordering: .acquiring) }

    func close() { isClosed.store(true, ordering: .releasing) }

    func open() { if isClosed.exchange(false, ordering: .acquiringAndReleasing) { opened.signal() } }

    /// Returns when it is open. - Thread: stream.
    func pass() {
        while isClosed.load(ordering: .acquiring) {
            isWaited.store(true, ordering: .releasing)
            opened.wait()
        }
    }
}
