internal import CGLib

/// Whether a socket can be read, for sources that come and go with each request: one source of the loop keeps the socket from request
/// to request, and they ask it.
///
/// With GLib's own sources (2.74) libsoup adds the socket to what the loop polls, and takes it away, seven times for each request, and
/// each time the loop's own descriptor is written to, to wake a loop that is awake.
///
/// Ownership: the socket may be closed when nobody waits any more.
/// - Thread: main.
@HostActor
final class SocketPoll {
    /// What the loop looks at in each turn for each connection, without a detour; it lies in the source.
    struct State {
        private static let readable = UInt16(
            G_IO_IN.rawValue | G_IO_HUP.rawValue | G_IO_ERR.rawValue | G_IO_NVAL.rawValue)

        /// The first, so that it lies where this does.
        var file: GPollFD
        /// How many wait. While nobody does it is not polled: the end of the other side is always told, and would be told for ever.
        var waiting = 0
        var isPolled = false

        /// Whether there was something to read, or nothing ever will be, when the loop has polled last. For a source of the same
        /// priority, when it is checked.
        var isReadable: Bool { file.revents & Self.readable != 0 }
    }

    /// Valid until it is cancelled.
    let state: UnsafeMutablePointer<State>
    /// Owned; nil: cancelled.
    private var source: UnsafeMutablePointer<GSource>?

    /// Nil where GLib makes no source.
    init?(_ file: Int32) {
        let initial = State(file: GPollFD(fd: file, events: UInt16(G_IO_IN.rawValue), revents: 0))
        guard let source = LoopSource.make(Self.functions, holding: initial) else { return nil }
        self.source = source
        state = LoopSource.content(of: source)
        g_source_attach(source, nil)
    }

    isolated deinit { cancel() }

    /// Twice is harmless.
    func cancel() {
        guard let ending = source else { return }
        source = nil
        g_source_destroy(ending)
        g_source_unref(ending)
    }

    /// Before the loop polls.
    private nonisolated static func prepare(_ source: UnsafeMutablePointer<GSource>) {
        let state: UnsafeMutablePointer<State> = LoopSource.content(of: source)
        guard state.pointee.isPolled != (state.pointee.waiting > 0) else { return }
        state.pointee.isPolled.toggle()
        state.pointee.file.revents = 0
        let file = UnsafeMutableRawPointer(state).assumingMemoryBound(to: GPollFD.self)
        if state.pointee.isPolled { g_source_add_poll(source, file) } else { g_source_remove_poll(source, file) }
    }

    /// It is never ready by itself.
    private static let functions = LoopSource.functions(
        prepare: { source, timeout in
            timeout?.pointee = -1
            if let source { SocketPoll.prepare(source) }
            return 0
        },
        dispatch: { _, _, _ in 1 })
}
