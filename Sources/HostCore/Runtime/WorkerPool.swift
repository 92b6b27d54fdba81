internal import CGLib
internal import GStreamerKit
import Locking

/// Threads for what may be slow: file work, device work, GStreamer state changes. `[worker]` in the headers.
///
/// The pool grows with demand and without a bound, because a state change can hang for ever on a stuck device and must
/// not take others with it; idle threads are given back by GLib.
public final class WorkerPool: Sendable {
    // GThreadPool functions are thread-safe; the pool lives as long as the process.
    private nonisolated(unsafe) let pool: UnsafeMutablePointer<GThreadPool>?
    private let relay = WorkerRelay()

    public init() {
        pool = g_thread_pool_new(
            { work, _ in
                guard let work else { return }
                Handover.take(work)
                WorkItem.run(work)
            }, nil, -1, 0, nil)
    }

    deinit { if let pool { g_thread_pool_free(pool, 0, 0) } }

    /// Runs `work` once on a worker thread.
    /// - Thread: any.
    public func submit(_ work: @escaping @Sendable () -> Void) {
        if relay.offer(work) { return }
        let item = Unmanaged.passRetained(WorkItem(work, relay)).toOpaque()
        // GLib's queue orders the push before the pop.
        Handover.give(item)
        // Where no thread can be made GLib has queued it all the same: it runs when one is free.
        if let pool { g_thread_pool_push(pool, item, nil) } else { WorkItem.run(item) }
    }
}

extension WorkerPool {
    /// What `work` returns from a worker thread, or nil where it takes longer than `limit`; its result is then dropped.
    ///
    /// Where it takes no more than a moment this does not suspend: what else the control thread has to do waits that long.
    @HostActor
    func result<Result: Sendable>(
        within limit: ClockTime, clock: any HostClock, of work: @escaping @Sendable () -> Result
    ) async -> Result? {
        let answer = WorkerAnswer<Result>()
        submit { answer.give(work()) }
        if let result = answer.lookForAMoment() { return result }
        return await answer.wait(within: limit, clock: clock)
    }
}

private final class WorkItem {
    private let work: WorkerRelay.Work
    private let relay: WorkerRelay

    init(_ work: @escaping WorkerRelay.Work, _ relay: WorkerRelay) { (self.work, self.relay) = (work, relay) }

    /// Takes over the reference. What it holds goes with the work, not with what follows on the same thread.
    static func run(_ item: UnsafeMutableRawPointer) {
        let (work, relay) = contents(of: item)
        relay.run(consume work)
    }

    private static func contents(of item: UnsafeMutableRawPointer) -> (WorkerRelay.Work, WorkerRelay) {
        let item = Unmanaged<WorkItem>.fromOpaque(item).takeRetainedValue()
        return (item.work, item.relay)
    }
}
