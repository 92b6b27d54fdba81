/// The control role, `[main]`: everything that decides runs here, one job at a time, in the order it was asked for;
/// what plugins ask for has an order of its own.
///
/// Its executor is the default GLib main context, so D-Bus, HTTP, bus watches and timers share the thread with Swift code
/// and need no locks between them. Whoever runs that context (`MainLoop.run`) is the control thread.
///
/// ```swift
/// HostActor.enqueue { controller.streamStarted() }   // from a streaming thread
/// ```
@globalActor
public actor HostActor {
    public static let shared = HostActor()
    private static let executor = MainContextExecutor()
    /// A queue of its own, which has its share of each turn and no more: what the host does itself stands behind none of it.
    private static let pluginQueue = MainContextExecutor(rounds: 1)
    private static let taskExecutor = MainContextTaskExecutor(executor)

    public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

    /// Runs `body` later on the control thread, after everything enqueued before it.
    /// - Thread: any.
    public nonisolated static func enqueue(_ body: @escaping @HostActor @Sendable () -> Void) {
        executor.enqueue(body)
    }

    /// The same for what a plugin asks for, in the order of all that plugins ask for.
    /// - Thread: any.
    public nonisolated static func enqueueForPlugin(_ body: @escaping @HostActor @Sendable () -> Void) {
        pluginQueue.enqueue(body)
    }

    /// A task that never leaves the control thread, also while it comes back from a wait: Swift's own pool would have its
    /// threads, and asks for a priority that only root may give them.
    @discardableResult
    public static func task(_ body: @escaping @HostActor @Sendable () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: taskExecutor, operation: body)
    }

    /// The same for what GLib calls: begun before it returns, and done where it does not wait. Within a task, and where others
    /// wait for their turn, it begins later.
    @HostActor
    @discardableResult
    static func immediateTask(_ body: @escaping @HostActor @Sendable () async -> Void) -> Task<Void, Never> {
        // The one that is under way would not be known any more when another has run.
        guard withUnsafeCurrentTask(body: { $0 == nil }) else { return task(body) }
        // `Task.immediate` does not know that it is here already, and would come back with a turn of the loop.
        return executor.runAtOnce { task(body) }
    }

    /// Whether the caller is on the control thread.
    public nonisolated static var isCurrent: Bool { executor.isCurrent }

    /// Runs `body` now; for C callbacks that GLib makes on the control thread. Stops the process on any other thread.
    /// - Thread: main.
    public nonisolated static func assumeIsolated<Result>(_ body: @HostActor () throws -> Result) rethrows -> Result {
        shared.preconditionIsolated()
        return try withoutActuallyEscaping(body) { isolated in
            try unsafeBitCast(isolated, to: (() throws -> Result).self)()
        }
    }
}
