internal import CGLib
import Locking

/// Accepts the clients of a listening socket and hands their connections on.
///
/// In place of libsoup's listener, which before 3.4 never gives up its reference of an accepted socket, and stops for good
/// when it fails once.
///
/// Ownership: owns the listening socket until `close`; a connection is lent for the call and kept by whoever refs it.
/// - Thread: main.
@HostActor
final class ConnectionAcceptor {
    typealias Handler = @HostActor (UnsafeMutablePointer<GSocketConnection>) -> Void

    /// How long nobody is accepted after a failure: out of descriptors, it would fail again at once, and for ever.
    static let pauseMilliseconds: guint = 100

    private enum State {
        case closed
        /// Owns one reference of the socket. The source is the watch, or after a failure the pause; nil: it is held.
        case open(UnsafeMutablePointer<GSocket>, source: guint?, Handler)
    }

    private var state = State.closed
    private nonisolated let sockets = Locked(0)
    /// Accepted sockets that still exist, whoever keeps them.
    nonisolated var living: Int { sockets.withLock { $0 } }

    nonisolated init() {}

    /// Takes a reference of the socket, and keeps itself alive until `close`.
    func open(_ socket: UnsafeMutablePointer<GSocket>, _ handler: @escaping Handler) {
        close()
        mh_g_object_ref(socket)
        g_socket_set_blocking(socket, 0)
        state = .open(socket, source: watch(socket), handler)
    }

    /// Accepts nobody any more and closes the listening socket; accepted connections go on. Twice is harmless.
    func close() {
        guard case .open(let socket, let source, _) = state else { return }
        state = .closed
        if let source { g_source_remove(source) }
        g_socket_close(socket, nil)
        g_object_unref(socket)
    }

    /// Lets clients wait until `resume`; for the handler.
    func hold() {
        guard case .open(let socket, let source?, let handler) = state else { return }
        g_source_remove(source)
        state = .open(socket, source: nil, handler)
    }

    /// After `hold`, accepts again.
    func resume() {
        guard case .open(let socket, nil, let handler) = state else { return }
        state = .open(socket, source: watch(socket), handler)
    }

    private func watch(_ socket: UnsafeMutablePointer<GSocket>) -> guint {
        g_unix_fd_add_full(
            G_PRIORITY_DEFAULT, g_socket_get_fd(socket), G_IO_IN,
            { _, _, context in
                // GLib calls back on the control thread; the pointer does not leave it.
                nonisolated(unsafe) let context = context
                return HostActor.assumeIsolated { ConnectionAcceptor.borrowed(context)?.accept() ?? 0 }
            }, Unmanaged.passRetained(self).toOpaque(), { ConnectionAcceptor.release($0) })
    }

    private func pause() -> guint {
        g_timeout_add_full(
            G_PRIORITY_DEFAULT, Self.pauseMilliseconds,
            { context in
                // GLib calls back on the control thread; the pointer does not leave it.
                nonisolated(unsafe) let context = context
                HostActor.assumeIsolated { ConnectionAcceptor.borrowed(context)?.endPause() }
                return 0
            }, Unmanaged.passRetained(self).toOpaque(), { ConnectionAcceptor.release($0) })
    }

    private func endPause() {
        guard case .open(let socket, _, let handler) = state else { return }
        state = .open(socket, source: watch(socket), handler)
    }

    /// Returns whether the watch stays.
    private func accept() -> gboolean {
        guard case .open(let listening, _, let handler) = state else { return 0 }
        var failure: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&failure) }
        guard let socket = g_socket_accept(listening, nil, &failure) else {
            // The client has left already.
            if g_error_matches(failure, g_io_error_quark(), gint(G_IO_ERROR_WOULD_BLOCK.rawValue)) != 0 { return 1 }
            state = .open(listening, source: pause(), handler)
            return 0
        }
        defer { g_object_unref(socket) }
        count(socket)
        guard let connection = g_socket_connection_factory_create_connection(socket) else { return 1 }
        defer { g_object_unref(connection) }
        handler(connection)
        // The handler may have held it, or closed it.
        if case .open(_, _?, _) = state { return 1 }
        return 0
    }

    private func count(_ socket: UnsafeMutablePointer<GSocket>) {
        sockets.withLock { $0 += 1 }
        let object = UnsafeMutableRawPointer(socket).assumingMemoryBound(to: GObject.self)
        g_object_weak_ref(
            object,
            { context, _ in
                // On the thread that had the last reference, which may be any.
                ConnectionAcceptor.borrowed(context)?.sockets.withLock { $0 -= 1 }
                ConnectionAcceptor.release(context)
            }, Unmanaged.passRetained(self).toOpaque())
    }

    private nonisolated static func borrowed(_ context: gpointer?) -> ConnectionAcceptor? {
        context.map { Unmanaged<ConnectionAcceptor>.fromOpaque($0).takeUnretainedValue() }
    }

    private nonisolated static func release(_ context: gpointer?) {
        guard let context else { return }
        Unmanaged<ConnectionAcceptor>.fromOpaque(context).release()
    }
}
