internal import GStreamerKit

/// What elements of a running pipeline say: asked on a thread of its own, and not waited for longer than `deadline`.
///
/// One that is stuck in its device may not answer. Then the thread is left to it, and what it says in the end is dropped.
@HostActor
final class LiveAnswer {
    enum Outcome: Sendable, Equatable {
        /// Nil where there is none.
        case answered(String?)
        case late
    }

    static let deadline = ClockTime.seconds(5)

    private var waiter: CheckedContinuation<Outcome, Never>?

    private init(_ waiter: CheckedContinuation<Outcome, Never>) { self.waiter = waiter }

    /// - Parameters:
    ///   - workers: one that grows with those that are stuck; nil: one of its own, which costs more than a quick answer.
    ///   - ask: runs on a worker.
    static func run(
        clock: any HostClock, on workers: WorkerPool? = nil, _ ask: @escaping @Sendable () -> String?
    ) async -> Outcome {
        await withCheckedContinuation { continuation in
            let answer = LiveAnswer(continuation)
            let timer = clock.schedule(after: deadline) { answer.end(.late) }
            (workers ?? WorkerPool()).submit {
                let text = ask()
                HostActor.enqueue {
                    timer.cancel()
                    answer.end(.answered(text))
                }
            }
        }
    }

    private func end(_ outcome: Outcome) {
        waiter?.resume(returning: outcome)
        waiter = nil
    }
}
