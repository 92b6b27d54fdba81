import PluginABI

/// A number that only grows: `Host.counter` makes it.
///
/// Adding neither waits nor allocates, so it is at home in a `StreamTap`; it is harmless when the instance is gone.
public struct Counter: Sendable {
    // The host's: valid as long as the process, for every thread.
    private nonisolated(unsafe) let cell: OpaquePointer?
    /// A C function of the host.
    private let change: (@convention(c) (OpaquePointer?, Double) -> Void)?

    init(_ cell: OpaquePointer?, _ table: UnsafePointer<mh_metrics_ext_1>) {
        self.cell = cell
        change = table.pointee.add
    }

    /// A negative amount, and what is no finite number, changes nothing.
    /// - Thread: any.
    public func add(_ amount: Double = 1) { change?(cell, amount) }
}
