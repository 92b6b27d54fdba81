internal import CGLib
internal import Glibc

/// Unix signals as the host understands them: SIGTERM and SIGINT end it, SIGUSR1 pauses, SIGUSR2 resumes, SIGHUP reloads.
///
/// ```
///   init: caught, kept ──connect──▶ what was kept, then each as it comes ──stop──▶ the kernel's defaults
/// ```
/// Made before anything slow, so that none of them kills a host that is still starting. GLib delivers them on the control
/// thread, before other work; each is a level, two of the same that wait are one.
@HostActor
public final class SignalTriggers {
    /// What a signal asks for.
    public enum Request: Sendable, Equatable {
        case terminate, pause, resume, reload
    }

    private let queue: SignalQueue
    private var sources: [guint]

    /// Catches the signals from now on, also where the caller was started with them blocked, as a careful parent does.
    /// - Thread: the one that is to be the control thread.
    public nonisolated init() {
        // A client that goes away is an error of its connection, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        let queue = SignalQueue()
        // GLib delivers what waits together in the order of its sources, here that of the numbers.
        let all: [(Int32, Request)] = [
            (SIGHUP, .reload), (SIGINT, .terminate), (SIGUSR1, .pause), (SIGUSR2, .resume), (SIGTERM, .terminate),
        ]
        sources = all.map { Self.watch($0, $1, queue) }
        self.queue = queue
        var caught = sigset_t()
        sigemptyset(&caught)
        for (number, _) in all { sigaddset(&caught, number) }
        pthread_sigmask(SIG_UNBLOCK, &caught, nil)
    }

    /// Whether the end was asked for and nobody has followed yet.
    public var isTerminationWaiting: Bool { queue.waiting.contains(.terminate) }

    /// Told when the end is asked for while nobody follows yet.
    public var onTermination: (@HostActor () -> Void)? {
        get { queue.onTermination }
        set { queue.onTermination = newValue }
    }

    /// Hands over what came so far, then all that comes.
    public func connect(_ handler: @escaping @HostActor (Request) -> Void) {
        queue.handler = handler
        let kept = queue.waiting
        queue.waiting = []
        for request in kept { handler(request) }
    }

    /// Gives the signals back to their defaults.
    public func stop() {
        for source in sources where source != 0 { g_source_remove(source) }
        sources = []
        queue.handler = nil
    }

    private nonisolated static func watch(_ signal: Int32, _ request: Request, _ queue: SignalQueue) -> guint {
        let box = Unmanaged.passRetained(SignalAction(queue, request))
        let id = g_unix_signal_add_full(
            G_PRIORITY_HIGH, signal,
            { context in
                guard let context else { return 1 }
                let action = Unmanaged<SignalAction>.fromOpaque(context).takeUnretainedValue()
                HostActor.assumeIsolated { action.queue.receive(action.request) }
                return 1
            }, box.toOpaque(), { $0.map { Unmanaged<SignalAction>.fromOpaque($0).release() } })
        if id == 0 { box.release() }
        return id
    }
}

/// What came and whom to tell.
@HostActor
private final class SignalQueue {
    var handler: (@HostActor (SignalTriggers.Request) -> Void)?
    var onTermination: (@HostActor () -> Void)?
    var waiting: [SignalTriggers.Request] = []

    nonisolated init() {}

    func receive(_ request: SignalTriggers.Request) {
        if let handler { return handler(request) }
        // The newer of pause and resume holds.
        let opposite: [SignalTriggers.Request: SignalTriggers.Request] = [.pause: .resume, .resume: .pause]
        waiting.removeAll { $0 == request || $0 == opposite[request] }
        waiting.append(request)
        if request == .terminate { onTermination?() }
    }
}

/// What GLib's source of one signal holds.
private final class SignalAction: Sendable {
    let queue: SignalQueue
    let request: SignalTriggers.Request

    init(_ queue: SignalQueue, _ request: SignalTriggers.Request) {
        self.queue = queue
        self.request = request
    }
}
