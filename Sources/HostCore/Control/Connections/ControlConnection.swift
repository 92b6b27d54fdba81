internal import CGLib
internal import CSoup
internal import GStreamerKit
internal import Glibc

/// One client's connection, from `accept` to `close`; libsoup reads and writes it in between.
///
/// libsoup gets a stream over it that does not own the socket, so that when libsoup gives up there is still somebody to tell
/// why. Between two requests libsoup 3.2 must not see the end of a connection: it would forget it and never close it. So a
/// source that comes before libsoup's looks for that end, and takes the connection away first.
///
/// Ownership: held by its table until it ends, and by the address that libsoup keeps of it, which leads from a message here.
/// - Thread: main.
@HostActor
final class ControlConnection {
    /// Larger bodies are watched while they are written.
    private static let longBodyBytes = 256 << 10
    /// What a client that was refused may go on to send.
    private static let mostThrownAway = 4 << 20

    nonisolated let id: UInt64
    let origin: Origin
    private(set) var life: ConnectionLife
    /// Whether the request under way was looked at, and may be answered.
    var isAdmitted = false
    /// The request is answered by it; nil while there is none.
    private var exchange: ControlExchange?
    private let table: ConnectionTable
    /// Owned until the end.
    private var stream: UnsafeMutablePointer<GSocketConnection>?
    /// The first message: by any of its messages libsoup finds the connection, and says that it let go.
    private var handle: OpaquePointer?
    private var disconnected: gulong = 0
    /// The message under way.
    private var current: OpaquePointer?
    private var watch: SocketWatch?
    /// The client will send nothing more.
    private var isHalfClosed = false
    /// libsoup has nothing to do with it any more.
    private var isReleased = false
    private var thrownAway = 0
    /// What was sent is no request: why.
    private(set) var unreadable: ControlError?
    private var isCutOff = false
    /// Bytes of a long answer that is being written.
    private var held = 0
    /// Since when it is; nil: there is none.
    private(set) var holdsSince: ClockTime?
    /// Of them, what the client has taken since its time began anew.
    private var taken = 0
    /// Of an answer that is written past libsoup, what the client has no room for yet.
    private var unsent: ArraySlice<UInt8> = []

    /// - Parameter stream: retained.
    init(
        _ stream: UnsafeMutablePointer<GSocketConnection>, id: UInt64, from origin: Origin, in table: ConnectionTable
    ) {
        mh_g_object_ref(stream)
        self.stream = stream
        self.id = id
        self.origin = origin
        self.table = table
        life = ConnectionLife(table.limits, at: table.now())
    }

    /// Hands it to libsoup.
    /// - Parameter local: what libsoup takes for our own address; of an internet one.
    func begin(_ server: UnsafeMutablePointer<SoupServer>, _ local: UnsafeMutablePointer<GSocketAddress>) {
        guard let stream, let remote = g_inet_socket_address_new_from_string("127.0.0.1", 0) else { return close() }
        defer { g_object_unref(remote) }
        mark(remote)
        let owned = UnsafeMutableRawPointer(stream).assumingMemoryBound(to: GIOStream.self)
        guard let input = g_io_stream_get_input_stream(owned),
            let socket, let framed = RequestStream.make(over: input, of: g_socket_get_fd(socket), for: self)
        else { return close() }
        defer { g_object_unref(framed) }
        // Closing this closes no socket.
        guard let lent = g_simple_io_stream_new(framed, g_io_stream_get_output_stream(owned)) else { return close() }
        defer { g_object_unref(lent) }
        table.isDue(at: life.deadline)
        look(for: SocketWatch.readingEnd)
        // Starts the first message, and never fails.
        soup_server_accept_iostream(server, lent, local, remote, nil)
    }

    /// In the place of `begin`, or of reading on: whatever else it asks, this is the answer.
    func turnAway(_ response: ControlResponse, headOnly: Bool = false) {
        takeFromSoup()
        isReleased = true
        // It may still be asking, and find nobody there.
        thrownAway = 1
        refuse(response, headOnly: headOnly)
    }

    // MARK: What libsoup and the dispatcher tell

    /// Its first bytes are there; of the first message, nothing is yet.
    func started(_ message: OpaquePointer) {
        isAdmitted = false
        if handle == nil {
            handle = retained(message)
            disconnected = connect(Self.lost, to: "disconnected", of: message)
        } else {
            enter(.head)
        }
        release(&current)
        current = retained(message)
    }

    func gotHead() { enter(.body) }

    /// The request is there, and is being answered.
    func begins(_ exchange: ControlExchange) {
        self.exchange = exchange
        enter(.answering)
        if isHalfClosed { look(for: SocketWatch.end) }
    }

    /// Makes `response` the answer of the message under way, or a refusal where too much waits for slow clients. Whoever paused
    /// it lets it go on.
    func send(_ response: ControlResponse, to message: OpaquePointer, closes: Bool = false) {
        var content = response.content
        var response = response
        if content.bytes.count > Self.longBodyBytes {
            letGoOfAnswer()
            if table.hold(content.bytes.count) {
                (held, taken, holdsSince) = (content.bytes.count, 0, table.now())
                _ = connect(Self.progressed, to: "wrote-body-data", of: message)
            } else {
                let text =
                    "there is no room for \(content.bytes.count) bytes beside answers that are being read: try again later"
                response = ControlResponse(ControlError(.busy, text))
                content = response.content
            }
        }
        dressed(response, for: message).write(content, to: message, closes: closes || isLast(message))
        enter(.writing)
    }

    /// The client has room for so much more of a long answer. Its time begins anew with each share that a client must take of it.
    func wrote(_ bytes: Int) {
        guard life.phase == .writing else { return }
        taken += bytes
        guard taken >= Int(DownloadPace.leastBytes) else { return }
        taken = 0
        enter(.writing)
    }

    private func letGoOfAnswer() {
        table.giveBack(held)
        (held, holdsSince) = (0, nil)
    }

    /// libsoup has done with a message, and waits for the next one or lets the connection go at once.
    func finished(_ message: OpaquePointer) {
        endExchange()
        letGoOfAnswer()
        release(&current)
        // The first one stays; not what it brought.
        soup_message_body_truncate(soup_server_message_get_request_body(message))
        soup_message_body_truncate(soup_server_message_get_response_body(message))
        enter(.idle)
        if isHalfClosed { look(for: SocketWatch.readingEnd) }
    }

    /// The client is cut off.
    func shutDownReading() {
        isCutOff = true
        if let socket { g_socket_shutdown(socket, 1, 1, nil) }
    }

    /// Takes the connection away from libsoup. What libsoup has read of it is lost.
    /// - Returns: a descriptor of its own that the caller closes; nil where there is none left, and nothing was taken then.
    func take() -> Int32? {
        guard let socket else { return nil }
        let descriptor = mh_file_copy(g_socket_get_fd(socket))
        guard descriptor >= 0 else { return nil }
        close()
        return descriptor
    }

    // MARK: The end

    /// At once, whatever it does. Twice is harmless.
    func close() {
        takeFromSoup()
        endExchange()
        letGoOfAnswer()
        life.enter(.ended, at: .zero)
        stopLooking()
        release(&current)
        if let handle, disconnected != 0 { g_signal_handler_disconnect(UnsafeMutableRawPointer(handle), disconnected) }
        disconnected = 0
        release(&handle)
        guard let stream else { return }
        self.stream = nil
        g_socket_close(g_socket_connection_get_socket(stream), nil)
        g_object_unref(stream)
        table.remove(self)
    }

    func expire(at now: ClockTime) {
        switch life.verdict(at: now) {
        case nil: break
        case .close: close()
        case .tooSlow:
            takeFromSoup()
            refuse(ControlResponse(ControlError(.tooSlow, "the request did not come to its end in time")))
        }
    }

    /// libsoup has let go of it, after an answer or without one.
    func lost() {
        guard !isReleased else { return }
        isReleased = true
        endExchange()
        if let unreadable {
            refuse(ControlResponse(unreadable))
        } else if life.phase == .head, !isRefusedBySoup, !isAtEnd {
            let error = ControlError(.headTooLarge, "the request line and the header fields are longer than 64 KiB")
            refuse(ControlResponse(error))
        } else {
            linger()
        }
    }

    /// Writes an answer past libsoup, and lets the client read it.
    private func refuse(_ response: ControlResponse, headOnly: Bool = false) {
        unsent = response.bytes(headOnly: headOnly)[...]
        sendRest()
    }

    /// Who asks without reading the answers has no room for this one either, until it reads.
    private func sendRest() {
        guard let socket else { return }
        let count = unsent.withUnsafeBytes {
            Glibc.send(g_socket_get_fd(socket), $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        let isFull = count >= 0 || errno == EAGAIN
        unsent = unsent.dropFirst(max(count, 0))
        guard !unsent.isEmpty, isFull else {
            unsent = []
            return linger()
        }
        enter(.writing)
        look(for: G_IO_OUT)
    }

    /// A connection that is closed with something in it that nobody read is reset, and the answer is lost with it.
    private func linger() {
        guard let socket else { return }
        enter(.lingering)
        _ = Glibc.shutdown(g_socket_get_fd(socket), Int32(SHUT_WR))
        if isDrained() { close() } else { look(for: G_IO_IN) }
    }

    /// Throws away what has come. - Returns: whether that was all; a client that has sent something may send more.
    private func isDrained() -> Bool {
        guard let socket else { return true }
        return withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { piece in
            while thrownAway < Self.mostThrownAway {
                let count = recv(g_socket_get_fd(socket), piece.baseAddress, piece.count, Int32(MSG_DONTWAIT))
                guard count > 0 else { return count == 0 || errno != EAGAIN || thrownAway == 0 }
                thrownAway += count
            }
            return true
        }
    }

    private func takeFromSoup() {
        guard !isReleased, let handle else { return }
        isReleased = true
        if let lent = soup_server_message_steal_connection(handle) { g_object_unref(lent) }
    }

    private func endExchange() {
        let ending = exchange
        exchange = nil
        ending?.ended()
    }

    // MARK: The end of the other side

    private func look(for condition: GIOCondition) {
        stopLooking()
        guard let socket else { return }
        watch = SocketWatch(g_socket_get_fd(socket), for: condition) { [unowned self] in saw(isGone: $0) }
    }

    /// Returns whether it is looked for further.
    private func saw(isGone: Bool) -> Bool {
        switch life.phase {
        case .lingering:
            guard isGone || isDrained() else { return true }
            close()
        case .writing where !unsent.isEmpty:
            if isGone { close() } else { sendRest() }
        case .idle where isAtEnd: close()
        case .answering where isGone:
            isHalfClosed = true
            exchange?.hungUp()
        default:
            // libsoup reads what is left. Who only closed its sending side may still leave.
            isHalfClosed = true
            if !isGone { look(for: SocketWatch.end) }
        }
        return false
    }

    /// Whether all was read and nothing more will come.
    private var isAtEnd: Bool {
        guard let socket else { return true }
        var byte: UInt8 = 0
        let flags = Int32(MSG_PEEK | MSG_DONTWAIT)
        let count = recv(g_socket_get_fd(socket), &byte, 1, flags)
        return count == 0 || (count < 0 && errno != EAGAIN)
    }

    private func stopLooking() {
        watch?.cancel()
        watch = nil
    }

    // MARK: Messages

    /// libsoup answers by itself what it cannot read, and marks the request then.
    private var isRefusedBySoup: Bool {
        guard let current else { return false }
        return soup_message_headers_header_contains(
            soup_server_message_get_request_headers(current), "Connection", "close") != 0
    }

    private func isLast(_ message: OpaquePointer) -> Bool {
        isHalfClosed || table.isCrowded || soup_server_message_get_http_version(message) == SOUP_HTTP_1_0
            || soup_message_headers_header_contains(
                soup_server_message_get_request_headers(message), "Connection", "close") != 0
    }

    private var socket: UnsafeMutablePointer<GSocket>? { stream.flatMap { g_socket_connection_get_socket($0) } }

    func enter(_ phase: ConnectionLife.Phase) {
        life.enter(phase, at: table.now())
        table.isDue(at: life.deadline)
    }

    private func retained(_ message: OpaquePointer) -> OpaquePointer {
        mh_g_object_ref(UnsafeMutableRawPointer(message))
        return message
    }

    private func release(_ message: inout OpaquePointer?) {
        guard let held = message else { return }
        message = nil
        g_object_unref(UnsafeMutableRawPointer(held))
    }
}

extension ControlConnection: RequestReader {
    /// Where the host itself has cut it off the client has not.
    func breaksOff(_ error: ControlError) -> Bool { !isCutOff }

    func refuse(_ error: ControlError) -> Bool {
        unreadable = error
        return current == nil
    }
}
