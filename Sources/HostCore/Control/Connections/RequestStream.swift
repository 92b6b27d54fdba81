internal import CGLib

/// The input of one connection as libsoup reads it: what comes passes a `RequestFraming` first.
///
/// A `GFilterInputStream` that can be polled as the socket's own stream can: libsoup reads by no other way.
///
/// Ownership: held by the stream it makes, whose owner is libsoup.
/// - Thread: main.
@HostActor
final class RequestStream {
    private static let key = "mediahost-framing"

    /// Stands in for a request that libsoup gets nothing of: by its head the connection learns that there is one to refuse.
    private static let standIn = Array("GET / HTTP/1.1\r\nHost: refused\r\n\r\n".utf8)

    private var framing = RequestFraming()
    private weak var reader: (any RequestReader)?
    private var refusal: ControlError?
    private var hasStoodIn = false
    /// libsoup has a part of the head that is refused, and waits for more before it tells of the message. What stands in would
    /// be read as the rest of that head.
    private var hasGivenPart = false
    /// The beginning of a request line, until all of it is there: with a part of one libsoup begins no message.
    private var held: [UInt8] = []
    /// What libsoup gets before anything else.
    private var waiting: ArraySlice<UInt8> = []

    private let socket: SocketPoll
    /// The stream that holds this.
    private let stream: OpaquePointer

    private init(_ reader: any RequestReader, of stream: OpaquePointer, over socket: SocketPoll) {
        self.reader = reader
        self.stream = stream
        self.socket = socket
    }

    /// A stream over `base` that ends with the first bytes that are no part of a request.
    /// - Parameter socket: where `base` reads; it may be closed when nobody waits for this stream any more.
    /// - Returns: the caller owns it.
    static func make(
        over base: UnsafeMutablePointer<GInputStream>, of socket: Int32, for reader: any RequestReader
    ) -> UnsafeMutablePointer<GInputStream>? {
        guard type != 0, let socket = SocketPoll(socket), let stream = mh_filter_input_stream_new(type, base) else {
            return nil
        }
        g_object_set_data_full(
            UnsafeMutableRawPointer(stream).assumingMemoryBound(to: GObject.self), key,
            Unmanaged.passRetained(RequestStream(reader, of: OpaquePointer(stream), over: socket)).toOpaque(),
            { context in
                guard let context else { return }
                // GLib calls back on the control thread; the pointer does not leave it.
                nonisolated(unsafe) let this = context
                HostActor.assumeIsolated {
                    let ending = Unmanaged<RequestStream>.fromOpaque(this)
                    ending._withUnsafeGuaranteedRef { $0.socket.cancel() }
                    ending.release()
                }
            })
        return stream
    }

    /// What a read without the socket brings.
    private enum Step: Sendable {
        case bytes(Int)
        /// The socket is to be read first.
        case read
        /// Nothing that libsoup may see yet.
        case nothing
        case over
    }

    /// - Parameter room: for what libsoup gets.
    private func begin(_ room: UnsafeMutableRawBufferPointer) -> Step {
        if waiting.isEmpty, let refusal {
            if hasGivenPart {
                hasGivenPart = false
                return .nothing
            }
            guard !hasStoodIn, reader?.refuse(refusal) ?? false else { return .over }
            hasStoodIn = true
            waiting = Self.standIn[...]
        }
        return waiting.isEmpty ? .read : .bytes(give(room))
    }

    /// What has come, which lies in `room`.
    private func take(_ count: Int, in room: UnsafeMutableRawBufferPointer) -> Step {
        let bytes = UnsafeRawBufferPointer(rebasing: room[..<count])
        // The request line is held; with it the head begins.
        let hasBegun = framing.isInHead && held.isEmpty
        let taken = bytes.isEmpty ? (good: 0, refusal: framing.end()) : framing.take(bytes)
        if let error = taken.refusal, reader?.breaksOff(error) ?? true {
            refusal = error
            hasGivenPart = hasBegun && taken.good == 0
            // What came before it is answered first. Of the request that is refused libsoup gets nothing more.
            if taken.good > 0 { waiting = (held + bytes[..<taken.good])[...] }
            held = []
            return begin(room)
        }
        let partial = min(framing.partialRequestLine, held.count + count)
        if held.isEmpty, partial == 0 { return .bytes(count) }
        held += bytes
        waiting = held.dropLast(partial)
        if !waiting.isEmpty { held = Array(held.suffix(partial)) }
        return waiting.isEmpty ? (count == 0 ? .bytes(0) : .nothing) : .bytes(give(room))
    }

    private func give(_ room: UnsafeMutableRawBufferPointer) -> Int {
        let piece = waiting.prefix(room.count)
        room.copyBytes(from: piece)
        waiting = waiting.dropFirst(piece.count)
        return piece.count
    }

    /// Whether libsoup gets something without the socket: there is no need to wait for what is refused.
    private var isReady: Bool { refusal != nil || !waiting.isEmpty }

    private nonisolated static func of<Result: Sendable>(
        _ stream: OpaquePointer?, _ body: @HostActor (RequestStream) -> Result
    ) -> Result? {
        guard let stream else { return nil }
        // libsoup reads on the control thread, which assumeIsolated checks; the pointer does not leave it.
        nonisolated(unsafe) let this = stream
        return HostActor.assumeIsolated {
            g_object_get_data(UnsafeMutableRawPointer(this).assumingMemoryBound(to: GObject.self), key).map {
                body(Unmanaged<RequestStream>.fromOpaque($0).takeUnretainedValue())
            }
        }
    }

    // MARK: - The sources by which libsoup waits

    private nonisolated static func makeSource(
        _ stream: OpaquePointer?, _ cancellable: UnsafeMutablePointer<GCancellable>?
    ) -> UnsafeMutablePointer<GSource>? {
        // The control thread's, as above.
        nonisolated(unsafe) var made: UnsafeMutablePointer<GSource>?
        _ = of(stream) { made = $0.makeSource() }
        guard let made, let cancellable, let cancelled = g_cancellable_source_new(cancellable) else { return made }
        g_source_set_dummy_callback(cancelled)
        g_source_add_child_source(made, cancelled)
        g_source_unref(cancelled)
        return made
    }

    /// It is ready when libsoup gets something. What it gets without the socket is known when it waits: nothing of that changes
    /// before it reads.
    private func makeSource() -> UnsafeMutablePointer<GSource>? {
        guard let source = LoopSource.make(Self.functions, holding: Wait(stream: stream, socket: socket.state)) else {
            return nil
        }
        mh_g_object_ref(UnsafeMutableRawPointer(stream))
        socket.state.pointee.waiting += 1
        if isReady { g_source_set_ready_time(source, 0) }
        return source
    }

    /// What such a source is about.
    private struct Wait {
        /// Owned: it keeps the socket's poll.
        var stream: OpaquePointer
        var socket: UnsafeMutablePointer<SocketPoll.State>

        static func of(_ source: UnsafeMutablePointer<GSource>?) -> Wait? {
            guard let source else { return nil }
            let content: UnsafeMutablePointer<Wait> = LoopSource.content(of: source)
            return content.pointee
        }
    }

    private static let functions = LoopSource.functions(
        check: { source in Wait.of(source)?.socket.pointee.isReadable ?? false ? 1 : 0 },
        dispatch: { source, callback, context in
            guard let callback, let wait = Wait.of(source) else { return 0 }
            let tell = unsafeBitCast(callback, to: GPollableSourceFunc.self)
            return tell(UnsafeMutableRawPointer(wait.stream).assumingMemoryBound(to: GObject.self), context)
        },
        finalize: { source in
            guard let wait = Wait.of(source) else { return }
            wait.socket.pointee.waiting -= 1
            g_object_unref(UnsafeMutableRawPointer(wait.stream))
        },
        // libsoup's own sources, of which these are parts, ask nothing: they have them go on as they are.
        closure: { _ in 1 })

    // MARK: - The type

    /// Zero where GLib does not make it.
    private static let type: GType = {
        var parent = GTypeQuery()
        g_type_query(g_filter_input_stream_get_type(), &parent)
        var information = GTypeInfo()
        information.class_size = UInt16(clamping: parent.class_size)
        information.instance_size = UInt16(clamping: parent.instance_size)
        information.class_init = { table, _ in
            table?.assumingMemoryBound(to: GInputStreamClass.self).pointee.read_fn = {
                stream, buffer, count, _, error in
                RequestStream.read(stream, buffer, count, waits: true, error)
            }
        }
        let type = g_type_register_static(
            g_filter_input_stream_get_type(), "MediahostRequestStream", &information, GTypeFlags(rawValue: 0))
        var pollable = GInterfaceInfo()
        pollable.interface_init = { table, _ in
            guard let table = table?.assumingMemoryBound(to: GPollableInputStreamInterface.self) else { return }
            table.pointee.is_readable = { stream in
                if RequestStream.isReady(stream) { return 1 }
                return g_pollable_input_stream_is_readable(RequestStream.base(of: stream))
            }
            table.pointee.create_source = { stream, cancellable in RequestStream.makeSource(stream, cancellable) }
            table.pointee.read_nonblocking = { stream, buffer, count, error in
                RequestStream.read(
                    stream.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GInputStream.self) }, buffer,
                    count,
                    waits: false, error)
            }
        }
        g_type_add_interface_static(type, g_pollable_input_stream_get_type(), &pollable)
        return type
    }()

    /// The socket's stream, borrowed.
    private nonisolated static func base(of stream: OpaquePointer?) -> OpaquePointer? {
        guard let stream else { return nil }
        let filter = UnsafeMutableRawPointer(stream).assumingMemoryBound(to: GFilterInputStream.self)
        return g_filter_input_stream_get_base_stream(filter).map { OpaquePointer($0) }
    }

    private nonisolated static func isReady(_ stream: OpaquePointer?) -> Bool {
        of(stream) { $0.isReady } ?? false
    }

    private nonisolated static func read(
        _ stream: UnsafeMutablePointer<GInputStream>?, _ buffer: UnsafeMutableRawPointer?, _ count: gsize, waits: Bool,
        _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
    ) -> gssize {
        let this = stream.map { OpaquePointer($0) }
        guard let base = base(of: this) else { return -1 }
        // The control thread's, as above.
        nonisolated(unsafe) let room = UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
        var step = of(this) { $0.begin(room) } ?? .over
        if case .read = step {
            let read = g_pollable_stream_read(
                UnsafeMutableRawPointer(base).assumingMemoryBound(to: GInputStream.self), buffer, count, waits ? 1 : 0,
                nil, error)
            guard read >= 0 else { return read }
            step = of(this) { $0.take(Int(read), in: room) } ?? .over
        }
        switch step {
        case .bytes(let count): return gssize(count)
        case .read, .nothing:
            g_set_error_literal(error, g_io_error_quark(), Int32(G_IO_ERROR_WOULD_BLOCK.rawValue), "more has to come")
        case .over:
            g_set_error_literal(error, g_io_error_quark(), Int32(G_IO_ERROR_INVALID_DATA.rawValue), "no request")
        }
        return -1
    }
}

/// Who reads requests by a `RequestStream`.
/// - Thread: main.
@HostActor
protocol RequestReader: AnyObject, Sendable {
    /// Something is wrong with what has come. - Returns: whether reading ends with it.
    func breaksOff(_ error: ControlError) -> Bool
    /// libsoup reads the request that is wrong.
    /// - Returns: whether it has seen nothing of it: then it gets another one in its place, to be refused; else it is told that
    ///   reading has failed, and lets go of the connection.
    func refuse(_ error: ControlError) -> Bool
}
