internal import CGLib

/// Tells on the control thread when a file appears, goes, or is given to somebody else. The file and its directory may be missing.
///
/// Ownership: told until `cancel`, or until it is let go.
@HostActor
final class FileChanges {
    private final class Action: Sendable {
        let run: @HostActor @Sendable () -> Void
        init(_ run: @escaping @HostActor @Sendable () -> Void) { self.run = run }
    }

    private var monitor: UnsafeMutablePointer<GFileMonitor>?

    /// Where the system has no watch to give, nobody is told.
    init(of path: String, _ action: @escaping @HostActor @Sendable () -> Void) {
        guard let file = g_file_new_for_path(path) else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(file)) }
        guard let monitor = g_file_monitor_file(file, GFileMonitorFlags(rawValue: 0), nil, nil) else { return }
        self.monitor = monitor
        let changed:
            @convention(c) (
                UnsafeMutablePointer<GFileMonitor>?, OpaquePointer?, OpaquePointer?, GFileMonitorEvent, gpointer?
            ) -> Void = { _, _, _, event, context in
                guard let context, FileChanges.matters(event) else { return }
                let action = Unmanaged<Action>.fromOpaque(context).takeUnretainedValue()
                HostActor.assumeIsolated { action.run() }
            }
        g_signal_connect_data(
            monitor, "changed", unsafeBitCast(changed, to: GCallback.self),
            Unmanaged.passRetained(Action(action)).toOpaque(),
            { context, _ in context.map { Unmanaged<Action>.fromOpaque($0).release() } }, GConnectFlags(rawValue: 0))
    }

    isolated deinit { cancel() }

    /// No call follows. Twice is harmless.
    func cancel() {
        guard let monitor else { return }
        self.monitor = nil
        g_file_monitor_cancel(monitor)
        g_object_unref(monitor)
    }

    /// Writing to it changes nothing of whether it can be opened.
    private nonisolated static func matters(_ event: GFileMonitorEvent) -> Bool {
        [
            G_FILE_MONITOR_EVENT_CREATED, G_FILE_MONITOR_EVENT_ATTRIBUTE_CHANGED, G_FILE_MONITOR_EVENT_DELETED,
        ].contains(event)
    }
}
