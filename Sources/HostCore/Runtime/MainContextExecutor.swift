internal import CGLib
internal import GStreamerKit
import Locking
import Synchronization

/// Runs Swift jobs and closures from one GLib source, in order, never nested; where nothing waits, `runAtOnce` need not wait for
/// that source.
///
/// Lock order: `queue` is a leaf; nothing is called while it is held.
final class MainContextExecutor: SerialExecutor {
    private enum Work: Sendable {
        case job(UnownedJob)
        /// Of no actor.
        case taskJob(UnownedJob, UnownedTaskExecutor)
        case closure(@HostActor @Sendable () -> Void)

        var isOfTask: Bool { if case .closure = self { false } else { true } }
    }

    /// How long it may keep the other sources of the loop waiting: sockets, timers, buses.
    static let slice = ClockTime.milliseconds(10)

    /// How often in a turn it looks for what its own work has brought. A task that comes back through its callers takes one
    /// for each of them, and a turn of the loop, with all its sources, costs more than these steps together.
    static let mostRounds = 32

    private static let clock = SystemClock()
    private let rounds: Int
    private let queue = Locked<[Work]>([])
    // What was taken out of the queue and is not done yet, the next one last: what is taken from there is let go when it is done,
    // a slice would hold it until the next batch. Only the control thread comes here.
    private nonisolated(unsafe) var batch: [Work] = []
    // What `runAtOnce` has caught. Only the control thread comes here.
    private nonisolated(unsafe) var begun: Work?
    private let isBeginning = Atomic(false)
    // The source is written once in init and only used with thread-safe GLib calls.
    private nonisolated(unsafe) let source: UnsafeMutablePointer<GSource>

    /// - Parameter rounds: 1 where what is asked for meanwhile waits for the next turn.
    init(rounds: Int = mostRounds) {
        self.rounds = rounds
        source = mh_ready_source_new()
        g_source_set_callback(
            source,
            { context in
                guard let context else { return 0 }
                Unmanaged<MainContextExecutor>.fromOpaque(context).takeUnretainedValue().drain()
                return 1
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
        g_source_attach(source, nil)
    }

    func enqueue(_ job: UnownedJob) { append(.job(job)) }

    func enqueue(_ job: UnownedJob, of executor: UnownedTaskExecutor) { append(.taskJob(job, executor)) }

    func enqueue(_ body: @escaping @HostActor @Sendable () -> Void) { append(.closure(body)) }

    var isCurrent: Bool { g_main_context_is_owner(nil) != 0 }

    func isIsolatingCurrentContext() -> Bool? { isCurrent }

    func checkIsolated() {
        precondition(isCurrent, "control-thread code called on another thread")
    }

    /// Runs the task that `begin` makes up to its first wait, before it returns; behind all that waits, if there is any.
    /// - Precondition: no task is under way.
    /// - Thread: main.
    func runAtOnce<Result>(_ begin: () -> Result) -> Result {
        guard batch.isEmpty, queue.withLock(\.isEmpty) else { return begin() }
        isBeginning.store(true, ordering: .relaxed)
        let result = begin()
        // A task goes over to its actor first, and comes back through its callers, as in `drain`.
        for _ in 0..<Self.mostRounds {
            guard let work = begun else { break }
            begun = nil
            run(work)
        }
        isBeginning.store(false, ordering: .relaxed)
        if let work = begun {
            begun = nil
            append(work, at: 0)
        }
        return result
    }

    private func append(_ work: Work) {
        if isBeginning.load(ordering: .relaxed), isCurrent, begun == nil, work.isOfTask, queue.withLock(\.isEmpty) {
            begun = work
        } else {
            append(work, at: nil)
        }
    }

    /// - Parameter place: nil: behind all others.
    private func append(_ work: Work, at place: Int?) {
        let wasEmpty = queue.withLock { waiting in
            waiting.insert(work, at: place ?? waiting.count)
            return waiting.count == 1
        }
        if wasEmpty { g_source_set_ready_time(source, 0) }
    }

    private func drain() {
        let began = Self.clock.coarse()
        for _ in 0..<rounds {
            if batch.isEmpty { refill() } else { g_source_set_ready_time(source, -1) }
            while let work = batch.popLast() {
                run(work)
                if Self.clock.coarse() - began >= Self.slice { return goOnInTheNextTurn() }
            }
            if queue.withLock(\.isEmpty) { return }
        }
        goOnInTheNextTurn()
    }

    private func refill() {
        // Before it is looked at: who comes behind that asks for another turn.
        g_source_set_ready_time(source, -1)
        batch = queue.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        batch.reverse()
    }

    private func run(_ work: Work) {
        switch work {
        case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
        case .taskJob(let job, let executor): job.runSynchronously(on: executor)
        case .closure(let body): HostActor.assumeIsolated(body)
        }
    }

    /// After whoever waits for this one.
    private func goOnInTheNextTurn() {
        if !batch.isEmpty || queue.withLock({ !$0.isEmpty }) { g_source_set_ready_time(source, 0) }
    }
}
