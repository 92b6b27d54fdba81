import CGLib

/// Hears when systemd forgets a unit, on a connection without a loop.
///
/// Thread: the one that made it.
final class UnitRemovals {
    private final class Heard {
        var isRemoved = false
        var isLate = false
    }

    private let connection: OpaquePointer
    private let context: OpaquePointer?
    private let heard = Heard()
    private var subscription: UInt32 = 0

    /// systemd tells it to those who have called `Subscribe`. - Parameter connection: kept alive.
    init(of unit: String, on connection: OpaquePointer) {
        self.connection = connection
        g_object_ref(UnsafeMutableRawPointer(connection))
        context = g_main_context_new()
        g_main_context_push_thread_default(context)
        subscription = g_dbus_connection_signal_subscribe(
            connection, "org.freedesktop.systemd1", "org.freedesktop.systemd1.Manager", "UnitRemoved",
            "/org/freedesktop/systemd1", unit, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, _, _, data in
                data.map { Unmanaged<Heard>.fromOpaque($0).takeUnretainedValue().isRemoved = true }
            }, Unmanaged.passRetained(heard).toOpaque(),
            { data in data.map { Unmanaged<Heard>.fromOpaque($0).release() } })
        g_main_context_pop_thread_default(context)
    }

    deinit {
        g_dbus_connection_signal_unsubscribe(connection, subscription)
        // What the subscription holds is let go of by its context.
        while g_main_context_iteration(context, 0) != 0 {}
        g_main_context_unref(context)
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    /// Waits for the next one, also if it came since the last. - Returns: false where none did.
    func wait(milliseconds: UInt32) -> Bool {
        heard.isLate = false
        let limit = g_timeout_source_new(milliseconds)
        g_source_set_callback(
            limit,
            { data in
                data.map { Unmanaged<Heard>.fromOpaque($0).takeUnretainedValue().isLate = true }
                return 0
            }, Unmanaged.passUnretained(heard).toOpaque(), nil)
        g_source_attach(limit, context)
        while !heard.isRemoved, !heard.isLate { g_main_context_iteration(context, 1) }
        g_source_destroy(limit)
        g_source_unref(limit)
        defer { heard.isRemoved = false }
        return heard.isRemoved
    }
}
