internal import CGLib
internal import CSoup

/// Watches the body of one request grow: too long is refused, endless is cut off.
///
/// Ownership: retained by its message's signal connection and released with it. Keeps no message.
/// - Thread: main.
@HostActor
final class UploadMeter {
    private let limit: Int
    private let drain: Int
    private var received = 0
    private var isRefused = false

    init(limit: Int, drain: Int) {
        self.limit = limit
        self.drain = drain
    }

    func attach(to message: OpaquePointer) {
        let gotChunk: @convention(c) (OpaquePointer?, OpaquePointer?, gpointer?) -> Void = { message, chunk, context in
            guard let message, let chunk, let context else { return }
            let bytes = g_bytes_get_size(chunk)
            // libsoup calls on the thread of the default main context, which assumeIsolated checks.
            nonisolated(unsafe) let (meter, borrowed) = (context, message)
            HostActor.assumeIsolated {
                Unmanaged<UploadMeter>.fromOpaque(meter).takeUnretainedValue().got(bytes, borrowed)
            }
        }
        g_signal_connect_data(
            UnsafeMutableRawPointer(message), "got-chunk", unsafeBitCast(gotChunk, to: GCallback.self),
            Unmanaged.passRetained(self).toOpaque(),
            { context, _ in
                guard let context else { return }
                Unmanaged<UploadMeter>.fromOpaque(context).release()
            }, GConnectFlags(rawValue: 0))
    }

    /// Answers at once; from here on the body is not kept.
    func refuse(_ message: OpaquePointer) {
        guard !isRefused else { return }
        isRefused = true
        let body = soup_server_message_get_request_body(message)
        soup_message_body_set_accumulate(body, 0)
        soup_message_body_truncate(body)
        let error = ControlError(.tooLarge, "the body is longer than \(limit) bytes")
        ControlResponse(error).write(to: message, closes: true)
    }

    private func got(_ bytes: gsize, _ message: OpaquePointer) {
        received += Int(bytes)
        if received > limit { refuse(message) }
        if received > drain { ControlConnection.of(message)?.shutDownReading() }
    }
}
