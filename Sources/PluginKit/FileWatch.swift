/// A file descriptor that the host looks at. Dropping it ends that; the descriptor is yours, and is closed after it.
public final class FileWatch: Sendable {
    private let host: Host
    private let file: Int32
    private let number: UInt64

    init(_ host: Host, _ file: Int32, _ number: UInt64) {
        self.host = host
        self.file = file
        self.number = number
    }

    deinit { end() }

    /// Other interest from now on.
    /// - Throws: `notFound` after `end` or `deactivate`.
    /// - Thread: main.
    public func modify(_ events: FileEvents) throws(PluginError) { try host.modify(file, number, events) }

    /// No call follows. Twice is harmless.
    /// - Thread: main, where the descriptor is closed next; else any.
    public func end() { host.unwatch(file, number) }
}
