internal import GStreamerKit

/// The drawing of a pipeline that runs: asked for on a thread of its own, and not waited for longer than `deadline`.
///
/// Every element is asked for its properties, and one that is stuck in its device may not answer. Then the thread is left to
/// it, and what it says in the end is dropped.
@HostActor
final class LiveDrawing {
    enum Outcome: Sendable, Equatable {
        /// Nil where GStreamer could not draw.
        case drawn(String?)
        case late
    }

    static let deadline = ClockTime.seconds(5)

    private var waiter: CheckedContinuation<Outcome, Never>?

    private init(_ waiter: CheckedContinuation<Outcome, Never>) { self.waiter = waiter }

    /// - Parameter draw: runs on a worker.
    static func run(clock: any HostClock, _ draw: @escaping @Sendable () -> String?) async -> Outcome {
        await withCheckedContinuation { continuation in
            let drawing = LiveDrawing(continuation)
            let timer = clock.schedule(after: deadline) { drawing.end(.late) }
            WorkerPool().submit {
                let text = draw()
                HostActor.enqueue {
                    timer.cancel()
                    drawing.end(.drawn(text))
                }
            }
        }
    }

    private func end(_ outcome: Outcome) {
        waiter?.resume(returning: outcome)
        waiter = nil
    }
}
