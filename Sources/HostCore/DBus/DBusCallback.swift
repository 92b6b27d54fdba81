internal import CGLib

/// A closure behind a callback of GDBus, which comes on the control thread because it was asked for there.
final class DBusCallback<Argument>: Sendable {
    private let run: @HostActor @Sendable (Argument) -> Void

    init(_ run: @escaping @HostActor @Sendable (Argument) -> Void) { self.run = run }

    /// For user data; released by `release` or by `take`.
    var retained: gpointer { Unmanaged.passRetained(self).toOpaque() }

    /// Of a callback that comes again.
    static func call(_ data: gpointer?, _ argument: Argument) {
        guard let data else { return }
        Unmanaged<DBusCallback>.fromOpaque(data).takeUnretainedValue().call(argument)
    }

    /// Of one that comes once.
    static func callLast(_ data: gpointer?, _ argument: Argument) {
        guard let data else { return }
        Unmanaged<DBusCallback>.fromOpaque(data).takeRetainedValue().call(argument)
    }

    private func call(_ argument: Argument) {
        // The caller's, used before it goes on, on the same thread.
        nonisolated(unsafe) let handedOver = argument
        HostActor.assumeIsolated { run(handedOver) }
    }
}
