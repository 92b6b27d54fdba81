import Locking

/// Runs work on the pool one piece after the other, in the order it was submitted.
///
/// Lock order: `queue` is a leaf.
final class SerialWorker: Sendable {
    private struct Queue {
        var waiting: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let pool: WorkerPool
    private let queue = Locked(Queue())

    init(_ pool: WorkerPool) { self.pool = pool }

    /// - Thread: any.
    func submit(_ work: @escaping @Sendable () -> Void) {
        let mustStart = queue.withLock { queue in
            queue.waiting.append(work)
            defer { queue.isRunning = true }
            return !queue.isRunning
        }
        if mustStart { pool.submit { self.run() } }
    }

    private func run() {
        while let next = take() { next() }
    }

    private func take() -> (@Sendable () -> Void)? {
        queue.withLock { queue in
            if queue.waiting.isEmpty {
                queue.isRunning = false
                return nil
            }
            return queue.waiting.removeFirst()
        }
    }
}
