internal import CGLib
internal import CSoup

/// One request that waits for its route's answer while libsoup's message is paused.
///
/// ```
/// waiting --answer--> answered --finished/disconnected--> ended
///    |  `--client hung up: cancel, answer `cancelled`--^     ^
///    `-----------------disconnected: cancel------------------'
/// ```
/// Ownership: holds its message until it ends, and is held by the message's signal connections, which the end removes.
/// - Thread: main.
@HostActor
final class ControlExchange {
    private enum State {
        case waiting(OpaquePointer)
        case answered(OpaquePointer)
        case ended
    }

    private var state: State
    private var task: Task<Void, Never>?
    private var connections: [gulong] = []
    private var watch: guint?
    private let onEnd: @HostActor () -> Void

    init(_ message: OpaquePointer, onEnd: @escaping @HostActor () -> Void) {
        mh_g_object_ref(UnsafeMutableRawPointer(message))
        state = .waiting(message)
        self.onEnd = onEnd
    }

    /// Pauses the message and starts the route's handler.
    func begin(_ route: Route, _ request: ControlRequest) {
        guard case .waiting(let message) = state else { return }
        soup_server_message_pause(message)
        connections = ["finished", "disconnected"].map { connect($0, of: message) }
        watchForHangUp(of: message)
        task = HostActor.task { self.answer(await route.handler(request)) }
    }

    /// Sends the answer, if there is still somebody to send it to and none was sent.
    private func answer(_ response: ControlResponse) {
        guard case .waiting(let message) = state else { return }
        state = .answered(message)
        stopWatching()
        var response = response
        if let takeover = response.takeover, !Self.asksForHeader(message) {
            if let refusal = takeover.refusal() {
                response = ControlResponse(refusal)
            } else if let descriptor = MessageSocket.take(from: message) {
                // libsoup says "disconnected" where it knows of the connection; else nobody does.
                ended()
                return takeover.begin(descriptor)
            } else {
                response = ControlResponse(ControlError(.failed, "the connection cannot be kept for a stream"))
            }
        }
        response.write(to: message)
        soup_server_message_unpause(message)
    }

    private static func asksForHeader(_ message: OpaquePointer) -> Bool {
        soup_server_message_get_method(message).map { String(cString: $0) } == "HEAD"
    }

    private func hungUp() {
        watch = nil
        task?.cancel()
        // Lets libsoup find out by writing, and clean up, however long the handler may take to give up.
        answer(ControlResponse(ControlError(.cancelled, "the client has gone")))
    }

    /// libsoup has done with the message.
    private func ended() {
        let message: OpaquePointer
        switch state {
        case .ended: return
        case .answered(let held): message = held
        case .waiting(let held):
            message = held
            task?.cancel()
        }
        state = .ended
        stopWatching()
        for connection in connections { g_signal_handler_disconnect(UnsafeMutableRawPointer(message), connection) }
        connections = []
        g_object_unref(UnsafeMutableRawPointer(message))
        onEnd()
    }

    private func connect(_ signal: String, of message: OpaquePointer) -> gulong {
        let ended: @convention(c) (gpointer?, gpointer?) -> Void = { _, context in
            // GLib calls back on the control thread; the pointer does not leave it.
            nonisolated(unsafe) let context = context
            HostActor.assumeIsolated { ControlExchange.borrowed(context)?.ended() }
        }
        return g_signal_connect_data(
            UnsafeMutableRawPointer(message), signal, unsafeBitCast(ended, to: GCallback.self),
            Unmanaged.passRetained(self).toOpaque(), { context, _ in ControlExchange.release(context) },
            GConnectFlags(rawValue: 0))
    }

    /// libsoup does not look at the socket of a paused message, so we do. A client that only closed its sending side
    /// has not hung up.
    private func watchForHangUp(of message: OpaquePointer) {
        guard let socket = MessageSocket.of(message) else { return }
        watch = g_unix_fd_add_full(
            G_PRIORITY_DEFAULT, g_socket_get_fd(socket), G_IO_HUP,
            { _, _, context in
                // GLib calls back on the control thread; the pointer does not leave it.
                nonisolated(unsafe) let context = context
                HostActor.assumeIsolated { ControlExchange.borrowed(context)?.hungUp() }
                return 0
            }, Unmanaged.passRetained(self).toOpaque(), { ControlExchange.release($0) })
    }

    private func stopWatching() {
        if let watch { g_source_remove(watch) }
        watch = nil
    }

    private static func borrowed(_ context: gpointer?) -> ControlExchange? {
        context.map { Unmanaged<ControlExchange>.fromOpaque($0).takeUnretainedValue() }
    }

    private nonisolated static func release(_ context: gpointer?) {
        guard let context else { return }
        Unmanaged<ControlExchange>.fromOpaque(context).release()
    }
}
