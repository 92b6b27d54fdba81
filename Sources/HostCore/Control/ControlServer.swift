internal import CGLib
internal import CSoup
internal import Glibc

/// The HTTP server of the control API, on a unix socket. The mode of the socket is its access control.
///
/// ```swift
/// let server = ControlServer(socketPath: path, routes: ControlRoutes.routes(over: host))
/// try server.start()
/// ```
/// libsoup makes up the host of an HTTP/1.0 request without `Host` from the address of the connection, and takes that for
/// an internet one: it is told 127.0.0.1.
@HostActor
public final class ControlServer {
    private struct Listening {
        /// Owns one reference.
        var server: UnsafeMutablePointer<SoupServer>
        /// What libsoup takes for our own address. Owns one reference.
        var address: UnsafeMutablePointer<GSocketAddress>
        var file: ListeningSocket
    }

    public let socketPath: String
    private let routes: [Route]
    private let settings: ControlSettings
    private let limits: ConnectionLimits
    private let clock: any HostClock
    private let log: Log?
    private var listening: Listening?
    private var localAccess: LocalAccess?
    /// Refusals are told to the log so often at most.
    private var refusals = TokenBucket(5, per: .seconds(60))
    /// Owned by the soup server's registrations alone, so it lives exactly as long as that does.
    private(set) weak var dispatcher: ControlDispatcher?
    private var downloads = Downloads()
    nonisolated let acceptor = ConnectionAcceptor()
    private(set) var connections: ConnectionTable
    /// The same over the network.
    private let networkAcceptor = ConnectionAcceptor()
    private(set) var networkConnections: ConnectionTable
    /// Where it listens on TCP, while it does.
    private(set) var networkPort: UInt16?
    /// The page's port, which it serves while it is open.
    private let web: WebDoor?

    /// - Parameters:
    ///   - settings: who may use it, and over which network; its path of the socket is not looked at.
    ///   - web: the page's port, which this serves; nil: there is no page.
    ///   - log: hears of who was refused.
    public init(
        socketPath: String, routes: [Route], settings: ControlSettings = ControlSettings(),
        clock: any HostClock = SystemClock(), limits: ConnectionLimits = .init(), web: WebDoor? = nil,
        log: Log? = nil
    ) {
        self.web = web
        self.socketPath = socketPath
        self.routes = routes
        self.settings = settings
        self.clock = clock
        self.limits = limits
        self.log = log
        connections = ConnectionTable(limits, clock: clock)
        networkConnections = ConnectionTable(limits, clock: clock)
    }

    isolated deinit { stop() }

    /// Listens; requests are answered while the default main context runs. Does nothing where it listens already.
    /// - Throws: what `ListeningSocket`, `NetworkSocket` and `AccessTokens` throw: another host answers there, an impossible
    ///   path or address, no permission, no token.
    public func start() throws(ControlError) {
        guard listening == nil else { return }
        localAccess = try LocalAccess(settings.access)
        let network = try settings.network.map { settings throws(ControlError) in
            NetworkAccess(try AccessTokens.read(settings), allowedHosts: settings.allowedHosts)
        }
        let file = try ListeningSocket(path: socketPath, access: settings.access)
        do throws(ControlError) {
            try listen(on: file, network)
        } catch {
            file.remove()
            stop()
            throw error
        }
    }

    private func listen(on file: ListeningSocket, _ network: NetworkAccess?) throws(ControlError) {
        // libsoup asks for addresses, a client of a unix socket has none, and only an internet one will do.
        guard let server = Self.newServer() else { throw ControlError(.failed, "libsoup made no server") }
        guard let address = g_inet_socket_address_new_from_string("127.0.0.1", 80) else {
            g_object_unref(server)
            throw ControlError(.failed, "GLib made no address")
        }
        downloads = Downloads()
        let dispatcher = ControlDispatcher(
            routes: routes, downloads: downloads, clock: clock, network: network, web: web, log: log)
        self.dispatcher = dispatcher
        Self.attach(dispatcher, to: server)
        listening = Listening(server: server, address: address, file: file)
        var failure: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&failure) }
        guard let descriptor = file.takeDescriptor() else { throw ControlError(.failed, "there is no control socket") }
        guard let socket = g_socket_new_from_fd(descriptor, &failure) else {
            close(descriptor)
            throw Self.error(failure, path: socketPath)
        }
        defer { g_object_unref(socket) }
        connections = ConnectionTable(limits, clock: clock)
        connections.onRoom = { [acceptor] in acceptor.resume() }
        acceptor.open(socket) { [weak self] in self?.accepted($0) }
        web?.attach(limits) { [weak self] in self?.accepted($0, to: $1) { .web($0) } }
        guard let settings = settings.network else { return }
        let bound = try NetworkSocket.listen(settings)
        defer { g_object_unref(bound.socket) }
        networkPort = bound.port
        networkConnections = ConnectionTable(limits.ofNetwork, clock: clock)
        networkConnections.onRoom = { [networkAcceptor] in networkAcceptor.resume() }
        networkAcceptor.open(bound.socket) { [weak self] connection in
            guard let self else { return }
            accepted(connection, to: networkConnections) { .network($0) }
            if networkConnections.isFull { networkAcceptor.hold() }
        }
    }

    /// Reads the files of the tokens again. Connections stay, their next request shows one of the new ones; what is being sent
    /// from files to who came with an old one ends.
    /// - Returns: whether they have changed.
    /// - Throws: as `AccessTokens.read`; the old ones hold then.
    public func readTokens() throws(ControlError) -> Bool {
        guard let network = settings.network, let dispatcher else { return false }
        let tokens = try AccessTokens.read(network)
        guard tokens != dispatcher.network?.tokens else { return false }
        dispatcher.network?.tokens = tokens
        downloads.end(from: .network)
        return true
    }

    /// Closes all connections, cancels the handlers that still run and removes the socket. Twice is harmless.
    public func stop() {
        guard let ending = listening else { return }
        listening = nil
        networkPort = nil
        ending.file.remove()
        acceptor.close()
        networkAcceptor.close()
        web?.detach()
        connections.stop()
        networkConnections.stop()
        downloads.stop()
        soup_server_disconnect(ending.server)
        g_object_unref(ending.address)
        // libsoup looks at its server again after a handler, who may have stopped it.
        guard let dispatcher, dispatcher.isCalled else { return g_object_unref(ending.server) }
        // Used once, on the main thread, as here.
        nonisolated(unsafe) let last = ending.server
        HostActor.enqueue { g_object_unref(last) }
    }

    /// For tests, which cannot be somebody else.
    func turnEverybodyAway() { localAccess = nil }

    private func accepted(_ connection: UnsafeMutablePointer<GSocketConnection>) {
        guard let listening else { return }
        let peer = LocalAccess.peer(of: g_socket_connection_get_socket(connection))
        if localAccess?.allows(peer) ?? false {
            connections.add(connection, from: .local, to: listening.server, listening.address)
        } else {
            if refusals.take(at: clock.monotonic()) {
                let name = peer.map { "\(AccountName.text(of: $0.user)), process \($0.process)," } ?? "somebody unknown"
                log?.warning("\(name) may not use the control socket: `control: socket: users:` does not list it")
            }
            connections.turnAway(
                connection, ControlError(.denied, "you may not use this socket: its `users:` does not list you"))
        }
        if connections.isFull { acceptor.hold() }
    }

    /// By TCP.
    private func accepted(
        _ connection: UnsafeMutablePointer<GSocketConnection>, to table: ConnectionTable,
        _ origin: (NetworkAccess.Ends) -> ControlConnection.Origin
    ) {
        guard let listening else { return }
        let socket = g_socket_connection_get_socket(connection)
        // libsoup writes the header and the body apart: the body would wait for the header to be acknowledged.
        g_socket_set_option(socket, gint(IPPROTO_TCP), TCP_NODELAY, 1, nil)
        NetworkSocket.noticesSilence(socket)
        guard let ends = NetworkSocket.ends(of: connection) else { return }
        table.add(connection, from: origin(ends), to: listening.server, listening.address)
    }

    /// libsoup keeps connections between two requests only while it listens somewhere. We accept by ourselves, so it is
    /// given one end of a pair that nobody can connect to; the other end stays open as long as the server.
    private static func newServer() -> UnsafeMutablePointer<SoupServer>? {
        guard let server = mh_soup_server_new() else { return nil }
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return server }
        guard let quiet = g_socket_new_from_fd(ends[0], nil) else {
            for end in ends { close(end) }
            return server
        }
        defer { g_object_unref(quiet) }
        guard let other = g_socket_new_from_fd(ends[1], nil) else {
            close(ends[1])
            return server
        }
        g_object_set_data_full(
            UnsafeMutableRawPointer(server).assumingMemoryBound(to: GObject.self), "mediahost-quiet", other,
            { g_object_unref($0) })
        soup_server_listen_socket(server, quiet, SoupServerListenOptions(rawValue: 0), nil)
        return server
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
        for signal in ["request-finished", "request-aborted"] {
            g_signal_connect_data(
                server, signal, unsafeBitCast(requestEnded, to: GCallback.self), retained(),
                { context, _ in ControlServer.release(context) }, GConnectFlags(rawValue: 0))
        }
        // One handler for everything: libsoup's own paths are prefixes, ours are exact. "*" is `OPTIONS *`.
        for path in ["/", "*"] {
            soup_server_add_early_handler(server, path, gotHeaders, retained(), release)
            soup_server_add_handler(server, path, gotRequest, retained(), release)
        }
    }

    private nonisolated static let release: @convention(c) (gpointer?) -> Void = { context in
        guard let context else { return }
        Unmanaged<ControlDispatcher>.fromOpaque(context).release()
    }

    private nonisolated static let requestStarted: @convention(c) (gpointer?, OpaquePointer?, gpointer?) -> Void = {
        _, message, context in
        forward(context, message) { $0.requestStarted($1) }
    }

    private nonisolated static let requestEnded: @convention(c) (gpointer?, OpaquePointer?, gpointer?) -> Void = {
        _, message, context in
        forward(context, message) { $0.requestEnded($1) }
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
