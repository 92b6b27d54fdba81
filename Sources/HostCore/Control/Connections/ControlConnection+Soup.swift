internal import CGLib
internal import CSoup

/// How libsoup's objects lead to a connection, and its signals.
extension ControlConnection {
    private static let key = "mediahost-connection"

    /// Makes the address, which libsoup keeps as long as its own connection, lead here.
    func mark(_ address: UnsafeMutablePointer<GSocketAddress>) {
        g_object_set_data_full(
            UnsafeMutableRawPointer(address).assumingMemoryBound(to: GObject.self), Self.key,
            Unmanaged.passRetained(self).toOpaque(), { ControlConnection.release($0) })
    }

    /// The connection a message came by.
    static func of(_ message: OpaquePointer) -> ControlConnection? {
        guard let remote = soup_server_message_get_remote_address(message) else { return nil }
        return borrowed(g_object_get_data(UnsafeMutableRawPointer(remote).assumingMemoryBound(to: GObject.self), key))
    }

    func connect<Handler>(
        _ handler: Handler, to signal: String, of message: OpaquePointer
    ) -> gulong {
        g_signal_connect_data(
            UnsafeMutableRawPointer(message), signal, unsafeBitCast(handler, to: GCallback.self),
            Unmanaged.passRetained(self).toOpaque(), { context, _ in ControlConnection.release(context) },
            GConnectFlags(rawValue: 0))
    }

    nonisolated static let lost: @convention(c) (gpointer?, gpointer?) -> Void = { _, context in
        // GLib calls back on the control thread; the pointer does not leave it.
        nonisolated(unsafe) let context = context
        HostActor.assumeIsolated { ControlConnection.borrowed(context)?.lost() }
    }

    /// Of "wrote-body-data".
    nonisolated static let progressed: @convention(c) (gpointer?, guint, gpointer?) -> Void = { _, count, context in
        // GLib calls back on the control thread; the pointer does not leave it.
        nonisolated(unsafe) let context = context
        HostActor.assumeIsolated { ControlConnection.borrowed(context)?.wrote(Int(count)) }
    }

    private nonisolated static func borrowed(_ context: gpointer?) -> ControlConnection? {
        context.map { Unmanaged<ControlConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private nonisolated static func release(_ context: gpointer?) {
        guard let context else { return }
        Unmanaged<ControlConnection>.fromOpaque(context).release()
    }
}
