internal import CGLib
internal import CSoup

extension NetworkAccess.Question {
    /// - Thread: main. The message is borrowed.
    @HostActor
    init(_ message: OpaquePointer) {
        let fields = soup_server_message_get_request_headers(message)
        func field(_ name: String) -> String? {
            // Of a field that is there twice, libsoup tells all with a comma between: such a value matches nothing.
            soup_message_headers_get_list(fields, name).map { String(cString: $0) }
        }
        method = soup_server_message_get_method(message).map { String(cString: $0) } ?? ""
        isReading = method == "GET" || method == "HEAD"
        // Of the request line, where it is said there.
        let place = soup_server_message_get_uri(message)
        host = g_uri_get_host(place).map { String(cString: $0) }
        let query = g_uri_get_query(place).map { "?\(String(cString: $0))" }
        target = (g_uri_get_path(place).map { String(cString: $0) } ?? "") + (query ?? "")
        hostField = field("Host")
        origin = field("Origin")
        authorization = field("Authorization")
        cookie = field("Cookie")
        fetchSite = field("Sec-Fetch-Site")
        fetchMode = field("Sec-Fetch-Mode")
        fetchDestination = field("Sec-Fetch-Dest")
    }
}
