internal import CGLib
internal import CSoup

/// The HTTP server of the control API, on a unix socket. The mode of the socket is its access control.
///
/// ```swift
/// let server = ControlServer(socketPath: path, routes: ControlRoutes.routes(over: host))
/// try server.start()
/// ```
/// A connection carries one request: see `ConnectionAcceptor` for what libsoup does to those that carry more.
/// libsoup makes up the host of an HTTP/1.0 request without `Host` from the address of the connection, and takes that for
/// an internet one: it is told 127.0.0.1.
@HostActor
public final class ControlServer {
    private enum State {
        case stopped
        /// Owns one reference of the soup server and one of the server's address.
        case listening(UnsafeMutablePointer<SoupServer>, ListeningSocket, UnsafeMutablePointer<GSocketAddress>)
    }

    public let socketPath: String
    private let routes: [Route]
    private var state = State.stopped
    /// Owned by the soup server's registrations alone, so it lives exactly as long as that does.
    private(set) weak var dispatcher: ControlDispatcher?
    nonisolated let acceptor = ConnectionAcceptor()

    public init(socketPath: String, routes: [Route]) {
        self.socketPath = socketPath
        self.routes = routes
    }

    isolated deinit { stop() }

    /// Listens; requests are answered while the default main context runs. Does nothing where it listens already.
    /// - Throws: what `ListeningSocket` throws: another host answers there, an impossible path, no permission.
    public func start() throws(ControlError) {
        guard case .stopped = state else { return }
        let listener = try ListeningSocket(path: socketPath)
        guard let server = mh_soup_server_new(), let descriptor = listener.takeDescriptor() else {
            listener.remove()
            throw ControlError(.failed, "libsoup made no server")
        }
        var failure: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&failure) }
        guard let socket = g_socket_new_from_fd(descriptor, &failure) else {
            close(descriptor)
            g_object_unref(server)
            listener.remove()
            throw Self.error(failure, path: socketPath)
        }
        defer { g_object_unref(socket) }
        let dispatcher = ControlDispatcher(routes: routes)
        self.dispatcher = dispatcher
        Self.attach(dispatcher, to: server)
        // libsoup asks for addresses, a client of a unix socket has none, and only an internet one will do.
        guard let address = g_inet_socket_address_new_from_string("127.0.0.1", 80) else {
            g_object_unref(server)
            listener.remove()
            throw ControlError(.failed, "GLib made no address")
        }
        acceptor.open(socket) { [weak self] in self?.accepted($0) }
        state = .listening(server, listener, address)
    }

    /// Closes all connections, cancels the handlers that still run and removes the socket. Twice is harmless.
    public func stop() {
        guard case .listening(let server, let listener, let address) = state else { return }
        state = .stopped
        listener.remove()
        acceptor.close()
        soup_server_disconnect(server)
        g_object_unref(server)
        g_object_unref(address)
    }

    private func accepted(_ connection: UnsafeMutablePointer<GSocketConnection>) {
        guard case .listening(let server, _, let address) = state else { return }
        dispatcher?.socketOfNext = g_socket_connection_get_socket(connection)
        defer { dispatcher?.socketOfNext = nil }
        let stream = UnsafeMutableRawPointer(connection).assumingMemoryBound(to: GIOStream.self)
        // Starts the connection's message, and never fails.
        soup_server_accept_iostream(server, stream, address, address, nil)
    }

    private static func error(_ failure: UnsafeMutablePointer<GError>?, path: String) -> ControlError {
        let text = failure.map { String(cString: $0.pointee.message) } ?? "no reason given"
        return ControlError(.failed, "cannot serve the control socket `\(path)`: \(text)")
    }

    // MARK: Callbacks of libsoup; each registration owns one reference of the dispatcher.

    private static func attach(_ dispatcher: ControlDispatcher, to server: UnsafeMutablePointer<SoupServer>) {
        func retained() -> UnsafeMutableRawPointer { Unmanaged.passRetained(dispatcher).toOpaque() }
        g_signal_connect_data(
            server, "request-started", unsafeBitCast(requestStarted, to: GCallback.self), retained(),
            { context, _ in ControlServer.release(context) }, GConnectFlags(rawValue: 0))
        // One handler for everything: libsoup's own paths are prefixes, ours are exact. "*" is `OPTIONS *`.
        soup_server_add_early_handler(server, "/", gotHeaders, retained(), release)
        soup_server_add_handler(server, "/", gotRequest, retained(), release)
        soup_server_add_handler(server, "*", gotRequest, retained(), release)
    }

    private nonisolated static let release: @convention(c) (gpointer?) -> Void = { context in
        guard let context else { return }
        Unmanaged<ControlDispatcher>.fromOpaque(context).release()
    }

    private nonisolated static let requestStarted: @convention(c) (gpointer?, OpaquePointer?, gpointer?) -> Void = {
        _, message, context in
        forward(context, message) { $0.requestStarted($1) }
    }

    private nonisolated static let gotHeaders: SoupServerCallback = { _, message, _, _, context in
        forward(context, message) { $0.gotHeaders($1) }
    }

    private nonisolated static let gotRequest: SoupServerCallback = { _, message, path, _, context in
        let path = path.map { String(cString: $0) } ?? "/"
        forward(context, message) { $0.gotRequest($1, path: path) }
    }

    private nonisolated static func forward(
        _ context: gpointer?, _ message: OpaquePointer?,
        _ body: @HostActor (ControlDispatcher, OpaquePointer) -> Void
    ) {
        guard let context, let message else { return }
        // libsoup calls on the thread of the default main context, which assumeIsolated checks.
        nonisolated(unsafe) let (dispatcher, borrowed) = (context, message)
        HostActor.assumeIsolated { body(Unmanaged.fromOpaque(dispatcher).takeUnretainedValue(), borrowed) }
    }
}
