internal import Glibc
internal import HostCore

/// The control thread of a test process: runs the default GLib main context, so that `@HostActor` tests run at all.
///
/// ```swift
/// @Suite struct PauseTests {
///     init() { MainLoopThread.start() }
///     @Test @HostActor func pauses() { ... }
/// }
/// ```
/// A suite that is `@HostActor` itself hangs the whole run: swift-testing then needs the actor to find its tests, before
/// any `init` could start the thread. Isolate the functions, or await what is isolated.
public enum MainLoopThread {
    /// The first call starts the thread, which lives as long as the process; further calls do nothing.
    /// - Thread: any. Never in a process that runs the context itself.
    public static func start() { _ = thread }

    private static let thread: pthread_t = {
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { _ in
                MainLoop().run {}
                return nil
            }, nil)
        precondition(status == 0, "no thread for the main loop: error \(status)")
        pthread_detach(thread)
        return thread
    }()
}
