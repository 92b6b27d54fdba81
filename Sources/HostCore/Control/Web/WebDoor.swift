internal import CGLib
internal import GStreamerKit

/// The port of the page: opened when somebody asks for it over the unix socket, closed with the host or when told to.
///
/// ```
/// closed --open--> open on a port, with keys and sessions of its own --close--> closed, all of them forgotten
/// ```
/// - Thread: main.
@HostActor
public final class WebDoor {
    typealias Handler = @HostActor (UnsafeMutablePointer<GSocketConnection>, ConnectionTable) -> Void

    private struct Opened {
        var port: UInt16
        var access: WebAccess
        var connections: ConnectionTable
        let downloads = Downloads()
    }

    /// Its boot time, which goes on while the machine sleeps: what holds for a day is over on the next.
    private let clock: any HostClock
    private let log: Log?
    private let acceptor = ConnectionAcceptor()
    private var opened: Opened?
    private var server: (limits: ConnectionLimits, handler: Handler)?
    /// Ends what has left the connections: the streams.
    private let onClose: @HostActor () -> Void

    /// - Parameter onClose: all that came by the port is to end.
    public init(clock: any HostClock, log: Log? = nil, onClose: @escaping @HostActor () -> Void = {}) {
        self.clock = clock
        self.log = log
        self.onClose = onClose
    }

    /// Where it is open, while it is.
    var port: UInt16? { opened?.port }
    var connections: ConnectionTable? { opened?.connections }
    /// What is sent from files to who came by it.
    var downloads: Downloads? { opened?.downloads }

    /// Somebody serves what comes by it, until `detach`.
    func attach(_ limits: ConnectionLimits, _ handler: @escaping Handler) { server = (limits, handler) }

    func detach() {
        server = nil
        close()
    }

    /// Opens it, unless it is open.
    /// - Parameter port: 0: any, or where it is open.
    /// - Returns: an address that works once.
    /// - Throws: `state` where it is open on another port, or this one is taken.
    func open(port: UInt16) throws(ControlError) -> String {
        if let opened, port != 0, port != opened.port {
            throw ControlError(
                .state, "the page is open on port \(opened.port): take that one, or close it before", field: "port")
        }
        if opened == nil { try listen(port) }
        let key = WebSecret.random()
        opened?.access.add(key: key, at: clock.boottime())
        return "\(address)\(WebAccess.place)\(key.text)"
    }

    /// Ends it and everything that came by it. - Returns: whether it was open.
    @discardableResult
    func close() -> Bool {
        guard let ending = opened else { return false }
        opened = nil
        acceptor.close()
        ending.connections.stop()
        ending.downloads.stop()
        onClose()
        log?.notice("the page on port \(ending.port) is closed")
        return true
    }

    /// Lets in who has a key. - Returns: the cookie, and how long it holds, in seconds.
    func enter(_ key: String) throws(ControlError) -> String {
        let session = WebSecret.random()
        guard opened?.access.redeem(key, for: session, at: clock.boottime()) ?? false, let opened else {
            throw ControlError(.unauthorized, "this address was used already: `mediahost web` makes another one")
        }
        let seconds = WebAccess.sessionLife.nanoseconds / 1_000_000_000
        return "\(opened.access.cookie)=\(session.text); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
    }

    /// - Parameter target: what may be read by it: a path with its query, or a place of a plugin.
    /// - Returns: the path of an address that shows by itself that it may be read.
    /// - Throws: `invalid` for what cannot be signed, `state` while the port is closed.
    func sign(_ target: String, for life: ClockTime) throws(ControlError) -> (path: String, url: String) {
        if let complaint = MediaTicket.complaint(about: target) {
            throw ControlError(.invalid, "\(quoted("path")) \(complaint)", field: "path")
        }
        guard let opened else {
            throw ControlError(.state, "the page is not open: `mediahost web` opens its port")
        }
        let path = opened.access.tickets.signed(target, until: clock.boottime() + life)
        return (path, address + path)
    }

    /// What a request is refused with; nil: it may go on.
    func refusal(of question: NetworkAccess.Question, from ends: NetworkAccess.Ends) -> ControlResponse? {
        guard opened != nil else { return ControlResponse(ControlError(.busy, "the page was closed")) }
        guard let refusal = opened?.access.refusal(of: question, from: ends, at: clock.boottime()) else { return nil }
        // Who looks at it with a browser gets something to look at.
        let isLookedAt = question.isReading && (question.fetchMode == "navigate" || question.target == "/")
        guard refusal.error.code == .unauthorized, isLookedAt else {
            return ControlResponse(refusal.error, headers: WebPage.headers.merging(refusal.headers) { $1 })
        }
        return WebPage.answer(refusal)
    }

    private var address: String { "http://127.0.0.1:\(opened?.port ?? 0)" }

    private func listen(_ port: UInt16) throws(ControlError) {
        guard let server else { throw ControlError(.busy, "the host is stopping") }
        var settings = NetworkSettings()
        settings.address = "127.0.0.1"
        settings.port = port
        let bound: (socket: UnsafeMutablePointer<GSocket>, port: UInt16)
        do throws(ControlError) {
            bound = try NetworkSocket.listen(settings)
        } catch {
            throw ControlError(.state, "the page cannot be served on port \(port): \(error.message)", field: "port")
        }
        defer { g_object_unref(bound.socket) }
        let connections = ConnectionTable(server.limits.ofNetwork, clock: clock)
        connections.onRoom = { [acceptor] in acceptor.resume() }
        opened = Opened(
            port: bound.port, access: WebAccess(port: bound.port, key: Array(WebSecret.random().text.utf8)),
            connections: connections)
        acceptor.open(bound.socket) { [weak self] connection in
            guard let self, let server = self.server, let table = self.opened?.connections else { return }
            server.handler(connection, table)
            if table.isFull { self.acceptor.hold() }
        }
        log?.notice("the page is open on 127.0.0.1 port \(bound.port)")
    }
}
