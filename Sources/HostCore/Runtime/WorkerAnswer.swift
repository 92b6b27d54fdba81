import Glibc
internal import GStreamerKit
import Locking
import Synchronization

/// What a worker answers the control thread, once.
///
/// ```
/// open ──give──▶ here ──look, wait──▶ taken
///   │ wait                              ▲
///   └─────▶ awaited ──give, the limit───┘
/// ```
/// Lock order: `state` is a leaf.
final class WorkerAnswer<Result: Sendable>: Sendable {
    private enum State: Sendable {
        case open
        case here(Result)
        /// Gets nil where it took too long.
        case awaited(@HostActor @Sendable (Result?) -> Void)
        case taken
    }

    private let state = Locked(State.open)
    /// For who looks: by the lock the worker would have to wait for, to say so.
    private let isHere = Atomic(false)

    /// For so long it is dearer to go and be called back than to stay and look.
    private static var moment: ClockTime { ClockTime(nanoseconds: 50_000) }

    /// Nobody hears it where the limit of `wait` is over.
    /// - Thread: worker, once.
    func give(_ result: Result) {
        let body = state.withLock { state -> (@HostActor @Sendable (Result?) -> Void)? in
            switch state {
            case .open:
                state = .here(result)
                return nil
            case .awaited(let body):
                state = .taken
                return body
            case .here, .taken: return nil
            }
        }
        isHere.store(true, ordering: .releasing)
        if let body { HostActor.enqueue { body(result) } }
    }

    /// The answer where it comes in a moment, for which the thread stays where it is.
    @HostActor
    func lookForAMoment() -> Result? {
        let clock = SystemClock()
        let end = clock.monotonic() + Self.moment
        while !isHere.load(ordering: .acquiring) {
            guard clock.monotonic() < end else { return nil }
            // The worker may be waiting for this very processor.
            sched_yield()
        }
        return take()
    }

    /// The answer, or nil where it does not come within `limit`.
    @HostActor
    func wait(within limit: ClockTime, clock: any HostClock) async -> Result? {
        await withCheckedContinuation { continuation in
            let timer = clock.schedule(after: limit) { [self] in giveUp() }
            let awaits = state.withLock { state in
                guard case .open = state else { return false }
                state = .awaited { result in
                    timer.cancel()
                    continuation.resume(returning: result)
                }
                return true
            }
            guard !awaits else { return }
            timer.cancel()
            continuation.resume(returning: take())
        }
    }

    @HostActor
    private func giveUp() {
        let body = state.withLock { state -> (@HostActor @Sendable (Result?) -> Void)? in
            guard case .awaited(let body) = state else { return nil }
            state = .taken
            return body
        }
        body?(nil)
    }

    private func take() -> Result? {
        state.withLock { state in
            guard case .here(let result) = state else { return nil }
            state = .taken
            return result
        }
    }
}
