internal import CGLib
import Locking

/// Runs the default GLib main context on the calling thread, which thereby becomes the control thread, until `quit`.
///
/// Thread-safe: GLib's loop object is, and nothing else is kept.
public final class MainLoop: Sendable {
    // GMainLoop is reference-counted and its functions may be called from any thread.
    private nonisolated(unsafe) let loop: OpaquePointer

    public init() {
        loop = g_main_loop_new(nil, 0)
    }

    deinit { g_main_loop_unref(loop) }

    /// Blocks until `quit`, and does what was asked for by then. `start` is the first job.
    /// - Thread: the one that is to be the control thread.
    public func run(_ start: @escaping @HostActor @Sendable () -> Void) {
        HostActor.enqueue(start)
        g_main_loop_run(loop)
        var turns = 0
        while turns < Self.mostLastTurns, g_main_context_iteration(nil, 0) != 0 { turns += 1 }
    }

    /// Whoever asks for something in each turn does not keep the process from ending.
    private static let mostLastTurns = 64

    /// Runs one job on the calling thread as the control thread, and returns what it returned.
    /// - Thread: the one that is to be the control thread.
    public static func runToEnd<Result: Sendable>(
        _ job: @escaping @HostActor @Sendable () -> Result
    ) -> Result? {
        let loop = MainLoop()
        let result = Locked<Result?>(nil)
        loop.run {
            let value = job()
            result.withLock { $0 = value }
            loop.quit()
        }
        return result.withLock { $0 }
    }

    /// - Thread: any.
    public func quit() { g_main_loop_quit(loop) }
}
