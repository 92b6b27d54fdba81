internal import PluginABI
import Locking

/// mh.metrics.draft/1: declared by the host, changed in cells of the guard's own, which stay with the plugin.
extension GuardTables {
    // Immortal, constant once made.
    static nonisolated(unsafe) let metrics = immortal(
        mh_metrics_ext_1(
            declare: { host, metric, cell in
                cell?.pointee = nil
                guard let plugin = GuardedPlugin.calling(.declare, host) else { return mh_status(MH_E_STATE) }
                guard let metric = metric?.pointee, let cell else { return mh_status(MH_E_INVALID) }
                let value = Metrics.value(metric)
                let status = plugin.ask(.declare, value).status
                if status == mh_status(MH_OK) { cell.pointee = Metrics.cell(value, metric.kind) }
                return status
            },
            add: { if Metrics.isKnown($0, "add") { MetricCell.add($0, $1) } },
            set: { if Metrics.isKnown($0, "set") { MetricCell.set($0, $1) } }))

    /// What was declared, and the cells.
    ///
    /// Lock order: a leaf.
    enum Metrics {
        private static let cells = Locked<[String: UInt]>([:])
        private static let addresses = Locked<Set<UInt>>([])

        /// All of it as the plugin gave it: what is wrong with it the host says.
        static func value(_ metric: mh_metric_1) -> Value {
            func word(_ start: UnsafePointer<CChar>?) -> Value {
                guard let start else { return .null }
                var length = 0
                while start[length] != 0 { length += 1 }
                return .string(text(mh_str_1(ptr: start, len: length), "metrics.declare"))
            }
            // The host reads none where there are too many.
            let count = metric.label_count > UInt32(MetricDeclaration.mostLabels) ? 0 : Int(metric.label_count)
            let labels = (0..<count).map { index -> Value in
                guard let label = metric.labels?[index] else { return [.null, .null] }
                return [word(label.name), word(label.value)]
            }
            return [
                word(metric.name), word(metric.unit), word(metric.help), .int(Int64(metric.kind)), .list(labels),
                .int(Int64(metric.label_count)),
            ]
        }

        /// One for all that were declared alike, so that instances that come and go cost nothing.
        static func cell(_ metric: Value, _ kind: mh_metric_kind) -> OpaquePointer? {
            let name = JSONText.render(metric)
            let address = cells.withLock { cells in
                if let known = cells[name] { return known }
                let made = UInt(bitPattern: MetricCell.make(kind == MH_METRIC_COUNTER ? .counter : .gauge))
                cells[name] = made
                return made
            }
            addresses.withLock { _ = $0.insert(address) }
            return OpaquePointer(bitPattern: address)
        }

        /// NULL is nothing, and allowed. - Thread: any.
        static func isKnown(_ cell: OpaquePointer?, _ function: String) -> Bool {
            guard let cell else { return false }
            if addresses.withLock({ $0.contains(UInt(bitPattern: cell)) }) { return true }
            TrialPipe.tell(
                TrialFault(
                    "called metrics.\(function) with a cell that declare did not give it",
                    expected: "what declare wrote, or NULL (mediahost/metrics.h)",
                    fix: "keep the cell as declare wrote it; begin with NULL"))
            return false
        }
    }
}
