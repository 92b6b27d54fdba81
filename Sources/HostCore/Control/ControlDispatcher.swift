internal import CGLib
internal import CSoup

/// Decides what becomes of each request: refused at once, or handed to its route in a `ControlExchange`.
///
/// - Thread: main. Messages are borrowed for each call.
@HostActor
final class ControlDispatcher {
    /// A larger body is refused; the rest of it is read and thrown away so that the client gets to see why.
    static let longestBodyBytes = 1 << 20
    /// A client that goes on sending is cut off here.
    static let longestDrainBytes = 16 << 20
    /// Requests that wait for their answer at one time.
    static let mostWaiting = 512

    /// Of those, what plugins may have open: the host itself can be asked all the same.
    static let mostWaitingForPlugins = 256

    /// By which a program of a rule says what its request follows from.
    nonisolated static let causeField = "Mediahost-Cause"

    private let router: Router<Route>
    /// Of the page's port, which has a little more.
    private let webRouter: Router<Route>
    private var places = SharedPlaces(mostWaiting)
    private var pluginPlaces = SharedPlaces(mostWaitingForPlugins)
    var waiting: Int { places.taken }
    /// libsoup waits for a handler of its to return.
    private(set) var isCalled = false

    /// Who may do what over the network; nil: nobody comes from there.
    var network: NetworkAccess?
    private let web: WebDoor?
    private let downloads: Downloads
    private let clock: any HostClock
    private let log: Log?

    init(
        routes: [Route], downloads: Downloads, clock: any HostClock, network: NetworkAccess?, web: WebDoor?, log: Log?
    ) {
        router = Router(routes: routes)
        webRouter = Router(routes: (web.map { WebRoutes.pageRoutes(of: $0) } ?? []) + routes)
        self.web = web
        self.downloads = downloads
        self.clock = clock
        self.network = network
        self.log = log
    }

    /// The body for what libsoup will refuse by itself, before any handler is asked.
    func requestStarted(_ message: OpaquePointer) {
        ControlConnection.of(message)?.started(message)
        ControlResponse.writeRefusal(to: message)
    }

    /// libsoup has done with it.
    func requestEnded(_ message: OpaquePointer) { ControlConnection.of(message)?.finished(message) }

    func gotHeaders(_ message: OpaquePointer) {
        guard let connection = ControlConnection.of(message) else { return }
        connection.gotHead()
        // This stands in for a request that nobody can read.
        if let error = connection.unreadable { return connection.turnAway(ControlResponse(error)) }
        guard admits(message, connection) else { return }
        if let error = Self.head(of: message).refusal {
            return connection.turnAway(ControlResponse(error), headOnly: Self.isHead(message))
        }
        connection.isAdmitted = true
        let length = soup_message_headers_get_content_length(soup_server_message_get_request_headers(message))
        let isChunked = Self.isChunked(message)
        guard isChunked || length > Int64(Self.longestBodyBytes) else { return }
        let meter = UploadMeter(limit: Self.longestBodyBytes, drain: Self.longestDrainBytes)
        meter.attach(to: message)
        if !isChunked { meter.refuse(message) }
    }

    /// Refuses who may not ask, before anything more is read of it. The connection ends with that.
    private func admits(_ message: OpaquePointer, _ connection: ControlConnection) -> Bool {
        let question: NetworkAccess.Question
        let response: ControlResponse
        switch connection.origin {
        case .local: return true
        case .network(let ends):
            question = NetworkAccess.Question(message)
            guard let refusal = network?.refusal(of: question, from: ends, at: clock.monotonic()) else {
                return network != nil
            }
            if refusal.isNews {
                log?.warning("\(ends.peer) sends wrong tokens: for a while only the right ones are listened to")
            }
            response = ControlResponse(refusal.error, headers: refusal.headers)
        case .web(let ends):
            question = NetworkAccess.Question(message)
            guard let refusal = web?.refusal(of: question, from: ends) else { return web != nil }
            response = refusal
        }
        connection.turnAway(response, headOnly: Self.isHead(message))
        return false
    }

    private static func isHead(_ message: OpaquePointer) -> Bool {
        soup_server_message_get_method(message).map { String(cString: $0) } == "HEAD"
    }

    private static func head(of message: OpaquePointer) -> RequestHead {
        let fields = soup_server_message_get_request_headers(message)
        func all(_ name: String) -> String? {
            soup_message_headers_get_list(fields, name).map { String(cString: $0) }
        }
        return RequestHead(
            lengths: all("Content-Length"), hosts: all("Host"), encodings: all("Transfer-Encoding"))
    }

    func gotRequest(_ message: OpaquePointer, path: String) {
        guard let connection = ControlConnection.of(message) else { return }
        // Whatever way a request may come that nobody has looked at.
        guard connection.isAdmitted else {
            return connection.turnAway(ControlResponse(ControlError(.denied, "the request was not admitted")))
        }
        isCalled = true
        defer { isCalled = false }
        let method = soup_server_message_get_method(message).map { String(cString: $0) } ?? ""
        let origin = connection.origin.ofRequest
        let isWeb = origin == .web
        // A ticket was looked at already, and is no part of what is asked for.
        let path = isWeb ? MediaTicket.inner(of: path) ?? path : path
        switch (isWeb ? webRouter : router).find(method: method, path: path) {
        case .route(let route, let parameters):
            do throws(ControlError) {
                guard places.hasRoom(for: origin) else {
                    throw ControlError(.busy, "\(waiting) requests are waiting for their answers: try again later")
                }
                guard !route.isPlugins || pluginPlaces.hasRoom(for: origin) else {
                    throw ControlError(
                        .busy, "\(pluginPlaces.taken) requests are waiting for answers of plugins: try again later")
                }
                // libsoup takes a chunk size that is none, and the end of the connection, for the end of the body.
                guard route.isPlugins || !Self.isChunked(message) else {
                    throw ControlError(
                        .lengthRequired,
                        "send the body with its `Content-Length`: of one in chunks nobody knows whether it is whole")
                }
                var asked = ControlRequest(
                    method: route.method, parameters: parameters, query: try Self.query(of: message),
                    body: route.isPlugins ? nil : try Self.body(of: message),
                    content: !route.isPlugins ? nil : Self.content(of: message),
                    lastEventID: Self.field("Last-Event-ID", of: message))
                asked.origin = origin
                if origin == .local { asked.cause = Self.field(Self.causeField, of: message) }
                let request = try route.check(asked)
                // Not the route: an exchange whose answer never comes keeps what it has.
                let isPlugins = route.isPlugins
                places.take(origin)
                if isPlugins { pluginPlaces.take(origin) }
                ControlExchange(
                    message, on: connection, isPlugins: route.isPlugins, isWeb ? web?.downloads ?? downloads : downloads
                ) { [weak self] in
                    self?.places.giveBack(origin)
                    if isPlugins { self?.pluginPlaces.giveBack(origin) }
                }.begin(route, request)
            } catch {
                connection.send(ControlResponse(error), to: message)
            }
        case .wrongMethod(let allowed, let first, let parameters):
            let list = (first.methods?(parameters) ?? allowed).joined(separator: ", ")
            let error = ControlError(.wrongMethod, "`\(path)` takes \(list), not \(method)")
            connection.send(ControlResponse(error, headers: ["Allow": list]), to: message)
        case .unknown(let nearest):
            let hint = nearest.map { "did you mean `\($0.method.rawValue) \($0.path)`? " } ?? ""
            let error = ControlError(.notFound, "there is no `\(path)`: \(hint)`GET /v1` lists what there is")
            connection.send(ControlResponse(error), to: message)
        case .broken:
            connection.send(ControlResponse(ControlError(.invalid, PercentText.complaint(about: path))), to: message)
        }
    }

    private static func query(of message: OpaquePointer) throws(ControlError) -> [String: String] {
        guard let text = g_uri_get_query(soup_server_message_get_uri(message)) else { return [:] }
        return try PercentText.query(String(cString: text))
    }

    private static func isChunked(_ message: OpaquePointer) -> Bool {
        soup_message_headers_get_encoding(soup_server_message_get_request_headers(message)) == SOUP_ENCODING_CHUNKED
    }

    private static func field(_ name: String, of message: OpaquePointer) -> String? {
        let headers = soup_server_message_get_request_headers(message)
        return soup_message_headers_get_one(headers, name).map { String(cString: $0) }
    }

    private static func content(of message: OpaquePointer) -> ControlResponse.Payload? {
        guard let bytes = soup_message_body_flatten(soup_server_message_get_request_body(message)) else { return nil }
        defer { g_bytes_unref(bytes) }
        var count: gsize = 0
        guard let start = g_bytes_get_data(bytes, &count), count > 0 else { return nil }
        let type = soup_message_headers_get_one(soup_server_message_get_request_headers(message), "Content-Type")
        return ControlResponse.Payload(
            contentType: type.map { String(cString: $0) } ?? "",
            bytes: Array(UnsafeRawBufferPointer(start: start, count: Int(count))))
    }

    private static func body(of message: OpaquePointer) throws(ControlError) -> Value? {
        guard let bytes = content(of: message)?.bytes else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ControlError(.invalid, "the body is no UTF-8")
        }
        do throws(JSONText.SyntaxError) {
            return try JSONText.parse(text)
        } catch {
            throw ControlError(.invalid, "the body is no JSON: \(error.message)")
        }
    }
}
