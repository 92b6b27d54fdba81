internal import CGLib
internal import CSoup

/// One request that waits for its route's answer; libsoup's message is paused meanwhile.
///
/// ```
/// waiting --answer--> answered --finished/disconnected--> ended
///    |  `--client hung up: cancel, answer `cancelled`--^     ^
///    `-----------------disconnected: cancel------------------'
/// ```
/// Ownership: holds its message until it ends; is held by its connection, which ends it.
/// - Thread: main.
@HostActor
final class ControlExchange {
    private enum State {
        case waiting(OpaquePointer)
        case answered(OpaquePointer)
        case ended
    }

    private var state: State
    private let connection: ControlConnection
    private let isPlugins: Bool
    private let downloads: Downloads
    private var task: Task<Void, Never>?
    private var isPaused = false
    private let onEnd: @HostActor () -> Void

    init(
        _ message: OpaquePointer, on connection: ControlConnection, isPlugins: Bool, _ downloads: Downloads,
        onEnd: @escaping @HostActor () -> Void
    ) {
        mh_g_object_ref(UnsafeMutableRawPointer(message))
        state = .waiting(message)
        self.connection = connection
        self.isPlugins = isPlugins
        self.downloads = downloads
        self.onEnd = onEnd
    }

    /// Starts the route's handler. Where it does not answer at once, the message is paused until it does.
    func begin(_ route: Route, _ request: ControlRequest) {
        connection.begins(self)
        let handler = route.handler
        let task = HostActor.immediateTask { self.answer(await handler(request)) }
        guard case .waiting(let message) = state else { return }
        self.task = task
        isPaused = true
        soup_server_message_pause(message)
    }

    /// Sends the answer, if there is still somebody to send it to and none was sent.
    private func answer(_ response: ControlResponse) {
        guard case .waiting(let message) = state else { return }
        state = .answered(message)
        var response = connection.dressed(response, for: message)
        if response.file != nil { response.sendFile(for: message, by: downloads, from: connection.origin.ofRequest) }
        if let takeover = response.takeover, !Self.asksForHeader(message) {
            if let refusal = takeover.refusal() {
                response = ControlResponse(refusal)
            } else if let descriptor = connection.take() {
                // The connection has ended this.
                return takeover.begin(descriptor)
            } else {
                response = ControlResponse(ControlError(.failed, "the connection cannot be kept for a stream"))
            }
        }
        RequestedRange.prepare(&response, for: message, isOffered: isPlugins)
        connection.send(response, to: message)
        if isPaused { soup_server_message_unpause(message) }
    }

    private static func asksForHeader(_ message: OpaquePointer) -> Bool {
        soup_server_message_get_method(message).map { String(cString: $0) } == "HEAD"
    }

    /// The client has left.
    func hungUp() {
        task?.cancel()
        // Lets libsoup find out by writing, and clean up, however long the handler may take to give up.
        answer(ControlResponse(ControlError(.cancelled, "the client has gone")))
    }

    /// libsoup has done with the message.
    func ended() {
        let message: OpaquePointer
        switch state {
        case .ended: return
        case .answered(let held): message = held
        case .waiting(let held):
            message = held
            task?.cancel()
        }
        state = .ended
        g_object_unref(UnsafeMutableRawPointer(message))
        onEnd()
    }
}
