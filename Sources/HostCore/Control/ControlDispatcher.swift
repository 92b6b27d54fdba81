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

    private let router: Router<Route>
    private(set) var waiting = 0
    private var waitingForPlugins = 0
    /// The socket of the connection whose message starts now; borrowed.
    var socketOfNext: UnsafeMutablePointer<GSocket>?

    init(routes: [Route]) { router = Router(routes: routes) }

    /// The body for what libsoup will refuse by itself, before any handler is asked.
    func requestStarted(_ message: OpaquePointer) {
        if let socketOfNext { MessageSocket.attach(socketOfNext, to: message) }
        ControlResponse(ControlError(.invalid, "this is no well-formed HTTP request")).writeBody(to: message)
    }

    func gotHeaders(_ message: OpaquePointer) {
        let headers = soup_server_message_get_request_headers(message)
        let length = soup_message_headers_get_content_length(headers)
        let isChunked = soup_message_headers_get_encoding(headers) == SOUP_ENCODING_CHUNKED
        guard isChunked || length > Int64(Self.longestBodyBytes) else { return }
        let meter = UploadMeter(limit: Self.longestBodyBytes, drain: Self.longestDrainBytes)
        meter.attach(to: message)
        if !isChunked { meter.refuse(message) }
    }

    func gotRequest(_ message: OpaquePointer, path: String) {
        let method = soup_server_message_get_method(message).map { String(cString: $0) } ?? ""
        switch router.find(method: method, path: path) {
        case .route(let route, let parameters):
            do throws(ControlError) {
                guard waiting < Self.mostWaiting else {
                    throw ControlError(.busy, "\(waiting) requests are waiting for their answers: try again later")
                }
                guard !route.isPlugins || waitingForPlugins < Self.mostWaitingForPlugins else {
                    throw ControlError(
                        .busy, "\(waitingForPlugins) requests are waiting for answers of plugins: try again later")
                }
                let request = ControlRequest(
                    method: route.method, parameters: parameters, query: try Self.query(of: message),
                    body: route.isPlugins ? nil : try Self.body(of: message),
                    content: !route.isPlugins ? nil : Self.content(of: message),
                    lastEventID: Self.lastEventID(of: message))
                waiting += 1
                waitingForPlugins += route.isPlugins ? 1 : 0
                ControlExchange(message) { [weak self] in
                    self?.waiting -= 1
                    self?.waitingForPlugins -= route.isPlugins ? 1 : 0
                }.begin(route, request)
            } catch {
                ControlResponse(error).write(to: message)
            }
        case .wrongMethod(let allowed):
            let list = allowed.joined(separator: ", ")
            ControlResponse(
                ControlError(.wrongMethod, "`\(path)` takes \(list), not \(method)"), headers: ["Allow": list]
            ).write(to: message)
        case .unknown(let nearest):
            let hint = nearest.map { "did you mean `\($0.method.rawValue) \($0.path)`? " } ?? ""
            ControlResponse(ControlError(.notFound, "there is no `\(path)`: \(hint)`GET /v1` lists what there is"))
                .write(to: message)
        case .broken:
            ControlResponse(ControlError(.invalid, "the path `\(path)` has a broken percent escape")).write(to: message)
        }
    }

    private static func query(of message: OpaquePointer) throws(ControlError) -> [String: String] {
        guard let text = g_uri_get_query(soup_server_message_get_uri(message)) else { return [:] }
        return try PercentText.query(String(cString: text))
    }

    private static func lastEventID(of message: OpaquePointer) -> String? {
        let headers = soup_server_message_get_request_headers(message)
        return soup_message_headers_get_one(headers, "Last-Event-ID").map { String(cString: $0) }
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
