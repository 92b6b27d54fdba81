internal import CSoup

extension ControlResponse {
    /// Makes this the answer of a `SoupServerMessage`, in place of any it had.
    /// - Thread: main. The message is borrowed.
    @HostActor
    func write(to message: OpaquePointer) {
        soup_server_message_set_status(message, guint(clamping: status), nil)
        let fields = soup_server_message_get_response_headers(message)
        for (name, value) in headers { soup_message_headers_replace(fields, name, value) }
        writeBody(to: message)
    }

    /// Only the body: for what libsoup refuses by itself, whose status is libsoup's. It says that the connection ends.
    /// - Thread: main. The message is borrowed.
    @HostActor
    func writeBody(to message: OpaquePointer) {
        soup_message_headers_replace(soup_server_message_get_response_headers(message), "Connection", "close")
        let type = status < 400 ? "application/json" : "application/problem+json"
        let sent = payload ?? Payload(contentType: type, bytes: Array((JSONText.render(body) + "\n").utf8))
        soup_message_body_truncate(soup_server_message_get_response_body(message))
        sent.bytes.withUnsafeBytes { bytes in
            soup_server_message_set_response(
                message, bytes.isEmpty ? nil : sent.contentType, SOUP_MEMORY_COPY,
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                gsize(bytes.count))
        }
    }
}
