import Synchronization

/// One number that every thread may change without waiting: what stands behind an `mh_metric_cell_1`.
///
/// Lives as long as the process, so that whoever still has its address when the plugin is gone does no harm. A plugin has at
/// most 64, each of 16 bytes.
package struct MetricCell: ~Copyable, Sendable {
    private let bits = Atomic<UInt64>(0)
    private let kind: MetricKind

    private init(_ kind: MetricKind) { self.kind = kind }

    /// One that is never freed.
    static func make(_ kind: MetricKind) -> UnsafePointer<MetricCell> {
        let place = UnsafeMutablePointer<MetricCell>.allocate(capacity: 1)
        place.initialize(to: MetricCell(kind))
        return UnsafePointer(place)
    }

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    /// - Thread: any.
    func add(_ amount: Double) {
        guard amount.isFinite, kind == .gauge || amount >= 0 else { return }
        var known = bits.load(ordering: .relaxed)
        while true {
            let sum = (Double(bitPattern: known) + amount).bitPattern
            let (isStored, found) = bits.weakCompareExchange(expected: known, desired: sum, ordering: .relaxed)
            if isStored { return }
            known = found
        }
    }

    /// - Thread: any.
    func set(_ value: Double) {
        if kind == .gauge { bits.store(value.bitPattern, ordering: .relaxed) }
    }

    /// The functions of `mh_metrics_ext_1`. - Thread: any.
    package static func add(_ cell: OpaquePointer?, _ amount: Double) {
        guard let cell else { return }
        UnsafeRawPointer(cell).assumingMemoryBound(to: MetricCell.self).pointee.add(amount)
    }

    package static func set(_ cell: OpaquePointer?, _ value: Double) {
        guard let cell else { return }
        UnsafeRawPointer(cell).assumingMemoryBound(to: MetricCell.self).pointee.set(value)
    }
}
