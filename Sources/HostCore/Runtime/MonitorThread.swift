internal import CGLib
internal import CStack
public import GStreamerKit
internal import Glibc
import Synchronization

/// Watches the control thread from outside, and says what it hangs in: the plugin, the function, the stack.
///
/// It mends nothing: a thread cannot be taken out of a call. The watchdog's sign of life comes from the control thread
/// itself, so it stops with the hang, and the service manager ends the process.
///
/// Sleeps without a timeout while the control thread has nothing to do.
public final class MonitorThread: Sendable {
    private let activity: MainActivity
    private let log: Log
    private let limit: ClockTime
    private let watched: pthread_t
    private let isStopped = Atomic(false)

    /// Starts watching the calling thread.
    /// - Parameter limit: a turn of the main loop that takes longer hangs.
    @HostActor
    public static func start(limit: ClockTime, log: Log) -> MonitorThread {
        let monitor = MonitorThread(activity: HostActor.activity, limit: limit, log: log, watching: pthread_self())
        MainActivity.followMainContext()
        monitor.run()
        return monitor
    }

    init(activity: MainActivity, limit: ClockTime, log: Log, watching thread: pthread_t) {
        self.activity = activity
        self.limit = limit
        self.log = log
        watched = thread
    }

    /// The limit that goes with a watchdog: there must be time to say something before the service manager acts.
    public static func limit(_ watchdog: WatchdogSettings?) -> ClockTime {
        let usual = ClockTime.seconds(5)
        return watchdog.map { min(usual, ClockTime(nanoseconds: max(1, $0.timeout.nanoseconds / 4))) } ?? usual
    }

    /// Ends soon. - Thread: any.
    public func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        activity.ring()
    }

    func run() {
        if mh_stack_prepare() != 0 { log.debug("no stack can be shown where the control role hangs") }
        let box = Unmanaged.passRetained(self)
        var failure: UnsafeMutablePointer<GError>?
        let thread = g_thread_try_new(
            "monitor",
            { context in
                context.map { Unmanaged<MonitorThread>.fromOpaque($0).takeRetainedValue() }?.watch()
                return nil
            }, box.toOpaque(), &failure)
        if let thread { return g_thread_unref(thread) }
        box.release()
        let why = failure.map { String(cString: $0.pointee.message) } ?? ""
        log.warning("no thread to watch the control role: \(why)")
        g_clear_error(&failure)
    }

    private func watch() {
        var detector = HangDetector(limit: limit.nanoseconds)
        while !isStopped.load(ordering: .sequentiallyConsistent) {
            switch detector.check(busySince: activity.busySince, now: MainActivity.now()) {
            case .sleep: activity.sleep(nil)
            case .wait(let nanoseconds): activity.sleep(nanoseconds)
            case .report(let after): report(ClockTime(nanoseconds: after))
            case .recovered(let after):
                log.warning("the control role goes on, after \(ClockTime(nanoseconds: after))", code: "main-recovered")
            }
        }
    }

    private func report(_ after: ClockTime) {
        let place = activity.present.map { "\($0)" } ?? "the host's own code"
        log.error(
            "the control role hangs for \(after): \(place); no command is answered and no pipeline looked after until it "
                + "comes back\n" + stack().joined(separator: "\n"), code: "main-hung")
    }

    private func stack() -> [String] {
        var frames = [UnsafeMutableRawPointer?](repeating: nil, count: 64)
        let count = mh_stack_capture(watched, &frames, 64, 1000)
        guard count > 0, let lines = mh_stack_describe(frames, count) else {
            return ["no stack: the thread takes no signal, so it waits inside the kernel, or blocks them"]
        }
        defer { free(lines) }
        // The innermost two are the handler and the kernel's way into it.
        return (min(2, Int(count))..<Int(count)).compactMap { lines[$0].map { String(cString: $0) } }
    }
}
