internal import CGLib
internal import CSoup

/// Asks a running host something, for short-lived processes such as the command line.
///
/// ```swift
/// let status = try ControlClient(socketPath: path).request(.get, "/v1/status")
/// ```
/// - Thread: any but `[main]`: every call blocks until the answer or the timeout. Each makes a connection of its own.
public struct ControlClient: Sendable {
    public let place: ControlPlace

    public init(_ place: ControlPlace) { self.place = place }

    public init(socketPath: String) { self.init(.socket(socketPath)) }

    /// A path of these segments, each percent-encoded: `path("v1", "plugins", "a/b")` is `/v1/plugins/a%2Fb`.
    /// No URI can carry `.` and `..` as names, however encoded; keep them out.
    public static func path(_ segments: String...) -> String {
        segments.map { segment in
            guard let text = g_uri_escape_string(segment, nil, 0) else { return "/" }
            defer { g_free(text) }
            return "/" + String(cString: text)
        }.joined()
    }

    /// Sends one request and returns the body of its answer.
    /// - Parameters:
    ///   - path: percent-encoded, see `path(_:)`; may carry a query.
    ///   - timeout: how long the host may stay silent, in whole seconds, rounded up; zero: for ever.
    /// - Throws: the host's own error; `unreachable`, `denied` or `timeout` where there was none; `failed` for an answer
    ///   that is not the host's.
    public func request(
        _ method: Route.Method, _ path: String, body: Value? = nil, timeout: Duration = .seconds(30)
    ) throws(ControlError) -> Value {
        try value(of: fetch(method, path, body: body, timeout: timeout))
    }

    /// What came back, whatever it is.
    public struct Answer: Sendable {
        public var status: Int
        /// As the header field says it; empty where there is none.
        public var contentType: String
        public var bytes: [UInt8]

        public var text: String { String(decoding: bytes, as: UTF8.self) }
        public var isSuccess: Bool { (200..<300).contains(status) }
    }

    /// The same with the answer as it came: for bodies that are no JSON. The host's errors are answers, too.
    public func fetch(
        _ method: Route.Method, _ path: String, body: Value? = nil, timeout: Duration = .seconds(30)
    ) throws(ControlError) -> Answer {
        try withMessage(method, path, body, timeout) { session, message, seconds throws(ControlError) in
            var failure: UnsafeMutablePointer<GError>?
            defer { g_clear_error(&failure) }
            guard let answer = soup_session_send_and_read(session, message, nil, &failure) else {
                throw error(failure, attempt: "\(method.rawValue) \(path)", seconds: seconds)
            }
            defer { g_bytes_unref(answer) }
            var count: gsize = 0
            let start = g_bytes_get_data(answer, &count)
            return Self.answer(message, UnsafeRawBufferPointer(start: start, count: Int(count)))
        }
    }

    static func answer(_ message: OpaquePointer, _ bytes: UnsafeRawBufferPointer) -> Answer {
        let type = soup_message_headers_get_one(soup_message_get_response_headers(message), "Content-Type")
        return Answer(
            status: Int(soup_message_get_status(message).rawValue), contentType: type.map { String(cString: $0) } ?? "",
            bytes: Array(bytes))
    }

    /// Makes a connection and a message, not sent yet, for as long as `use` takes.
    func withMessage<Result>(
        _ method: Route.Method, _ path: String, _ body: Value?, _ timeout: Duration,
        _ use: (UnsafeMutablePointer<SoupSession>, OpaquePointer, guint) throws(ControlError) -> Result
    ) throws(ControlError) -> Result {
        let address = try place.connectable()
        defer { g_object_unref(UnsafeMutableRawPointer(address)) }
        let token = try place.token()
        let (whole, rest) = timeout.components
        let seconds = guint(clamping: rest > 0 ? whole + 1 : whole)
        guard let session = mh_soup_session_new(address, seconds) else {
            throw ControlError(.failed, "libsoup made no session")
        }
        defer { g_object_unref(session) }
        guard let message = soup_message_new(method.rawValue, "http://\(place.authority)" + path) else {
            throw ControlError(.invalid, "`\(path)` is no path of a URI")
        }
        defer { g_object_unref(UnsafeMutableRawPointer(message)) }
        // A token is for this host alone.
        soup_message_add_flags(message, SOUP_MESSAGE_NO_REDIRECT)
        if let token {
            soup_message_headers_replace(
                soup_message_get_request_headers(message), "Authorization", "Bearer \(token.text)")
        }
        if place.isLocal, let cause = ControlSocket.variable("MEDIAHOST_CAUSE") {
            soup_message_headers_replace(
                soup_message_get_request_headers(message), ControlDispatcher.causeField, cause)
        }
        if let body {
            let text = JSONText.render(body)
            let bytes = g_bytes_new(text, gsize(text.utf8.count))
            defer { g_bytes_unref(bytes) }
            soup_message_set_request_body_from_bytes(message, "application/json", bytes)
        }
        return try use(session, message, seconds)
    }

    func value(of answer: Answer) throws(ControlError) -> Value {
        let (status, text, isSuccess) = (answer.status, answer.text, answer.isSuccess)
        if isSuccess, text.isEmpty { return .null }
        let body: Value
        do throws(JSONText.SyntaxError) {
            body = try JSONText.parse(text)
        } catch {
            throw ControlError(
                .failed,
                "`\(place)` answered with status \(status) and no JSON (\(error.message)): is it a mediahost?")
        }
        if isSuccess { return body }
        throw ControlError(body: body, status: status).map(place.explained)
            ?? ControlError(.failed, "`\(place)` answered with status \(status) and no reason")
    }

    func error(
        _ failure: UnsafeMutablePointer<GError>?, attempt: String, seconds: guint
    ) -> ControlError {
        guard let failure else { return ControlError(.failed, "\(attempt) failed without a reason") }
        let text = String(cString: failure.pointee.message)
        func failed(with code: GIOErrorEnum) -> Bool {
            g_error_matches(failure, g_io_error_quark(), Int32(bitPattern: code.rawValue)) != 0
        }
        let isUnknown = g_error_matches(failure, g_resolver_error_quark(), Int32(G_RESOLVER_ERROR_NOT_FOUND.rawValue))
        let unreachable = [
            G_IO_ERROR_CONNECTION_REFUSED, G_IO_ERROR_NOT_FOUND, G_IO_ERROR_HOST_UNREACHABLE,
            G_IO_ERROR_NETWORK_UNREACHABLE, G_IO_ERROR_HOST_NOT_FOUND,
        ]
        if isUnknown != 0 || unreachable.contains(where: failed(with:)) {
            return ControlError(.unreachable, place.unreachable(text))
        }
        // Broken pipe, or reset: both are this one.
        if failed(with: G_IO_ERROR_CONNECTION_CLOSED) || failed(with: G_IO_ERROR_PARTIAL_INPUT) {
            return ControlError(.unreachable, "the mediahost at \(place) ended before it answered \(attempt)")
        }
        if failed(with: G_IO_ERROR_PERMISSION_DENIED) {
            return ControlError(
                .denied,
                "permission denied for \(place): its owner and its group may use it; run as one of them, or name "
                    + "another socket with --socket")
        }
        if failed(with: G_IO_ERROR_TIMED_OUT) {
            return ControlError(
                .timeout, "the mediahost at \(place) did not answer \(attempt) within \(seconds) s")
        }
        return ControlError(.failed, "\(attempt) at \(place) failed: \(text)")
    }
}
