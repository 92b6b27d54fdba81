import PluginABI

/// A number that goes up and down: `Host.gauge` makes it.
///
/// Changing it neither waits nor allocates, so it is at home in a `StreamTap`; it is harmless when the instance is gone.
public struct Gauge: Sendable {
    // The host's: valid as long as the process, for every thread.
    private nonisolated(unsafe) let cell: OpaquePointer?
    /// C functions of the host.
    private let change: (@convention(c) (OpaquePointer?, Double) -> Void)?
    private let replace: (@convention(c) (OpaquePointer?, Double) -> Void)?

    init(_ cell: OpaquePointer?, _ table: UnsafePointer<mh_metrics_ext_1>) {
        self.cell = cell
        change = table.pointee.add
        replace = table.pointee.set
    }

    /// - Thread: any.
    public func set(_ value: Double) { replace?(cell, value) }

    /// What is no finite number changes nothing.
    /// - Thread: any.
    public func add(_ amount: Double) { change?(cell, amount) }
}
