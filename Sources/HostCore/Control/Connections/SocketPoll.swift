internal import CGLib

/// Whether a socket can be read, for sources that come and go with each request: one source of the loop keeps the socket from request
/// to request, and they ask it.
///
/// With GLib's own sources (2.74) libsoup adds the socket to what the loop polls, and takes it away, seven times for each request, and
/// each time the loop's own descriptor is written to, to wake a loop that is awake.
///
/// Ownership: the socket stays open until it is cancelled.
/// - Thread: main.
@HostActor
final class SocketPoll {
    private static let readable = UInt16(G_IO_IN.rawValue | G_IO_HUP.rawValue | G_IO_ERR.rawValue | G_IO_NVAL.rawValue)

    /// How many wait. While nobody does it is not polled: the end of the other side is always told, and would be told for ever.
    var waiting = 0
    /// What the loop polls; it keeps the address. Owned.
    private let poll: UnsafeMutablePointer<GPollFD>
    private var isPolled = false
    /// Owned; nil: cancelled.
    private var source: UnsafeMutablePointer<GSource>?

    init(_ file: Int32) {
        poll = .allocate(capacity: 1)
        poll.initialize(to: GPollFD(fd: file, events: UInt16(G_IO_IN.rawValue), revents: 0))
        source = SourceContext.makeSource(Self.functions, for: self)
        if let source { g_source_attach(source, nil) }
    }

    isolated deinit {
        cancel()
        poll.deallocate()
    }

    /// Whether there was something to read, or nothing ever will be, when the loop has polled last. For a source of the same priority,
    /// when it is checked.
    var isReadable: Bool { isPolled && poll.pointee.revents & Self.readable != 0 }

    /// Twice is harmless.
    func cancel() {
        guard let ending = source else { return }
        source = nil
        isPolled = false
        g_source_destroy(ending)
        g_source_unref(ending)
    }

    /// Before the loop polls.
    private func prepare() {
        guard let source, isPolled != (waiting > 0) else { return }
        isPolled.toggle()
        if isPolled { g_source_add_poll(source, poll) } else { g_source_remove_poll(source, poll) }
    }

    /// It is never ready by itself.
    private static let functions = SourceContext.functions(
        prepare: { source, timeout in
            timeout?.pointee = -1
            SourceContext.with(source, as: SocketPoll.self) { $0.prepare() }
            return 0
        },
        dispatch: { _, _, _ in 1 })
}
