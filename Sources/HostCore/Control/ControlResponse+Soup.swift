internal import CSoup

extension ControlResponse {
    /// Makes this the answer of a `SoupServerMessage`, in place of any it had.
    /// - Parameters:
    ///   - content: where it was asked for already.
    ///   - closes: the connection ends with it.
    /// - Thread: main. The message is borrowed.
    @HostActor
    func write(_ content: Content? = nil, to message: OpaquePointer, closes: Bool) {
        soup_server_message_set_status(message, guint(clamping: status), Self.newerPhrases[status])
        let fields = soup_server_message_get_response_headers(message)
        if closes {
            soup_message_headers_replace(fields, "Connection", "close")
        } else {
            soup_message_headers_remove(fields, "Connection")
        }
        for (name, value) in headers { soup_message_headers_replace(fields, name, value) }
        let (type, bytes) = content ?? self.content
        Self.write(bytes, type, to: message)
        if let length = file?.length {
            soup_message_headers_set_encoding(fields, SOUP_ENCODING_CONTENT_LENGTH)
            soup_message_headers_set_content_length(fields, goffset(length))
            soup_message_headers_replace(fields, "Content-Type", type)
        } else if takeover != nil {
            // Of a stream nobody knows the length, and the end of its connection is its end.
            soup_message_headers_set_encoding(fields, SOUP_ENCODING_EOF)
            soup_message_headers_replace(fields, "Content-Type", type)
        }
    }

    /// The words that go with a status.
    static func phrase(_ status: Int) -> String {
        newerPhrases[status] ?? soup_status_get_phrase(guint(clamping: status)).map { String(cString: $0) } ?? ""
    }

    /// Of RFC 6585, which libsoup does not know.
    private static let newerPhrases = [429: "Too Many Requests", 431: "Request Header Fields Too Large"]

    /// What a message says that libsoup refuses by itself, before any handler is asked; the status is libsoup's.
    /// - Thread: main. The message is borrowed.
    @HostActor
    static func writeRefusal(to message: OpaquePointer) {
        soup_message_headers_replace(soup_server_message_get_response_headers(message), "Connection", "close")
        write(refusal.bytes, refusal.type, to: message)
    }

    private static let refusal = ControlResponse(
        ControlError(.invalid, "this is no well-formed HTTP request")
    ).content

    @HostActor
    private static func write(_ bytes: [UInt8], _ type: String, to message: OpaquePointer) {
        soup_message_body_truncate(soup_server_message_get_response_body(message))
        bytes.withUnsafeBytes { bytes in
            soup_server_message_set_response(
                message, bytes.isEmpty ? nil : type, SOUP_MEMORY_COPY,
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                gsize(bytes.count))
        }
    }

    typealias Content = (type: String, bytes: [UInt8])

    /// What goes over the wire behind the head.
    var content: Content {
        if let payload { return (payload.contentType, payload.bytes) }
        let type = status < 400 ? "application/json" : "application/problem+json"
        return (type, Array((JSONText.render(body) + "\n").utf8))
    }

    /// The whole answer as it goes over the wire, for a connection that ends with it and that libsoup has nothing to do with.
    func bytes(headOnly: Bool) -> [UInt8] {
        let (type, body) = content
        var head = "HTTP/1.1 \(status) \(Self.phrase(status))\r\nConnection: close\r\n"
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
        if !body.isEmpty { head += "Content-Type: \(type)\r\n" }
        return Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + (headOnly ? [] : body)
    }
}
