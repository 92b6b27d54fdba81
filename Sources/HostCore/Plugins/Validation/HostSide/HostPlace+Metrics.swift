internal import Glibc
internal import PluginABI

extension HostPlace {
    /// A metric as `GuardTables.Metrics.value` has it, made a C struct again.
    func declare(_ metric: Value) -> [Value] {
        var texts: [UnsafeMutablePointer<CChar>?] = []
        defer { for text in texts { free(text) } }
        func word(_ value: Value?) -> UnsafePointer<CChar>? {
            guard let text = value?.string else { return nil }
            texts.append(strdup(text))
            return texts.last.flatMap { $0 }.map { UnsafePointer($0) }
        }
        let parts = metric.list ?? []
        func part(_ index: Int) -> Value? { parts.indices.contains(index) ? parts[index] : nil }
        let labels = (part(4)?.list ?? []).map { label in
            mh_label_1(name: word(label.list?.first), value: word(label.list?.last))
        }
        return labels.withUnsafeBufferPointer { labels in
            var raw = mh_metric_1(
                name: word(part(0)), unit: word(part(1)), help: word(part(2)), labels: labels.baseAddress,
                kind: Int32(truncatingIfNeeded: part(3)?.int ?? -1),
                label_count: UInt32(truncatingIfNeeded: part(5)?.int ?? 0))
            // The cell stays unused: the plugin has one in its own process.
            var cell: OpaquePointer?
            return [.int(Int64(HostInterface.metrics.pointee.declare?(table, &raw, &cell) ?? -1))]
        }
    }
}
