internal import CGLib

/// Looks at a socket for one condition, before libsoup's sources do.
///
/// Ownership: the loop holds it until it is cancelled or the handler wants no more; the handler is let go of then.
/// - Thread: main.
@HostActor
final class SocketWatch {
    /// Nothing but the end of the whole connection and errors, which are always looked for.
    static let end = GIOCondition(rawValue: 0)
    /// The other side will send nothing more. Of poll(2); GLib has no name for it.
    static let readingEnd = GIOCondition(rawValue: 0x2000)

    private var handler: (@HostActor (_ isGone: Bool) -> Bool)?
    private var source: guint = 0

    /// - Parameters:
    ///   - file: stays open until the watch is cancelled.
    ///   - handler: whether the other side is gone altogether; returns whether to look further.
    init(_ file: Int32, for condition: GIOCondition, _ handler: @escaping @HostActor (_ isGone: Bool) -> Bool) {
        self.handler = handler
        source = g_unix_fd_add_full(
            G_PRIORITY_DEFAULT - 1, file, condition,
            { _, condition, context in
                guard let context else { return 0 }
                // GLib calls back on the control thread; the pointer does not leave it.
                nonisolated(unsafe) let watch = context
                return HostActor.assumeIsolated {
                    Unmanaged<SocketWatch>.fromOpaque(watch).takeUnretainedValue().saw(condition)
                }
            }, Unmanaged.passRetained(self).toOpaque(),
            { context in
                guard let context else { return }
                Unmanaged<SocketWatch>.fromOpaque(context).release()
            })
    }

    /// Twice is harmless.
    func cancel() {
        guard source != 0 else { return }
        let ending = source
        source = 0
        handler = nil
        g_source_remove(ending)
    }

    private func saw(_ condition: GIOCondition) -> gboolean {
        guard let handler else { return 0 }
        if handler(condition.rawValue & (G_IO_HUP.rawValue | G_IO_ERR.rawValue) != 0) { return 1 }
        // GLib removes it; the handler may have cancelled it already.
        source = 0
        self.handler = nil
        return 0
    }
}
