internal import CGLib
internal import CSoup

/// The client's side of `StreamRoutes`.
extension ControlClient {
    /// Listens to a stream until the host ends it, or `each` has heard enough.
    /// - Parameters:
    ///   - path: percent-encoded, with its query.
    ///   - after: the id of the last event that came; goes on behind it.
    ///   - silence: how long nothing at all may come; a host shows that it is there more often.
    ///   - each: gets the events as they come, and returns whether it wants more.
    /// - Throws: the host's own error; `unreachable`, `denied` or `timeout` where there was none; `failed` where the stream
    ///   broke off.
    public func listen(
        _ path: String, after: String? = nil, silence: Duration = .seconds(45), _ each: (StreamMessage) -> Bool
    ) throws(ControlError) {
        try withMessage(.get, path, nil, silence) { session, message, seconds throws(ControlError) in
            if let after {
                soup_message_headers_replace(soup_message_get_request_headers(message), "Last-Event-ID", after)
            }
            var failure: UnsafeMutablePointer<GError>?
            defer { g_clear_error(&failure) }
            guard let stream = soup_session_send(session, message, nil, &failure) else {
                throw error(failure, attempt: "GET \(path)", seconds: seconds)
            }
            defer { g_object_unref(stream) }
            var reader = EventStreamReader()
            var refusal: [UInt8] = []
            let isStream = Self.answer(message, UnsafeRawBufferPointer(start: nil, count: 0)).isSuccess
            var piece = [UInt8](repeating: 0, count: 16 << 10)
            while true {
                let count = piece.withUnsafeMutableBytes {
                    g_input_stream_read(stream, $0.baseAddress, gsize($0.count), nil, &failure)
                }
                guard count >= 0 else { throw error(failure, attempt: "GET \(path)", seconds: seconds) }
                guard count > 0 else { break }
                guard isStream else {
                    refusal += piece[..<count]
                    continue
                }
                for message in try reader.read(piece[..<count]) where !each(message) { return }
            }
            guard !isStream else { return }
            _ = try value(of: refusal.withUnsafeBytes { Self.answer(message, $0) })
        }
    }
}
