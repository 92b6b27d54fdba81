internal import CGLib
internal import Glibc

/// Unix signals as the host understands them: SIGTERM and SIGINT end it, SIGUSR1 pauses, SIGUSR2 resumes,
/// SIGHUP reloads.
///
/// GLib delivers them on the control thread.
@HostActor
public final class SignalTriggers {
    private var sources: [guint] = []

    public init(
        terminate: @escaping @HostActor @Sendable () -> Void, pause: @escaping @HostActor @Sendable () -> Void,
        resume: @escaping @HostActor @Sendable () -> Void, reload: @escaping @HostActor @Sendable () -> Void
    ) {
        add(SIGTERM, terminate)
        add(SIGINT, terminate)
        add(SIGUSR1, pause)
        add(SIGUSR2, resume)
        add(SIGHUP, reload)
    }

    /// Gives the signals back to their defaults.
    public func stop() {
        for source in sources { g_source_remove(source) }
        sources = []
    }

    private func add(_ signal: Int32, _ action: @escaping @HostActor @Sendable () -> Void) {
        let box = Unmanaged.passRetained(SignalAction(action))
        let id = g_unix_signal_add_full(
            G_PRIORITY_DEFAULT, signal,
            { context in
                guard let context else { return 1 }
                HostActor.assumeIsolated(Unmanaged<SignalAction>.fromOpaque(context).takeUnretainedValue().run)
                return 1
            }, box.toOpaque(), { $0.map { Unmanaged<SignalAction>.fromOpaque($0).release() } })
        if id == 0 { box.release() } else { sources.append(id) }
    }
}

private final class SignalAction: Sendable {
    let run: @HostActor @Sendable () -> Void
    init(_ run: @escaping @HostActor @Sendable () -> Void) { self.run = run }
}
