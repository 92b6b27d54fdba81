import PluginABI

extension HostExtension {
    public static let metrics = HostExtension(rawValue: MH_EXT_METRICS)
}

/// Numbers for whoever watches the board: `mediahost status`, and `GET /metrics` for Prometheus, where each has the name
/// `mediahost_plugin_NAME` and the label `plugin`, the instance's name.
///
/// ```swift
/// frames = try host.counter("frames", help: "Frames that passed.")                        // frames_total
/// late = try host.counter("drops", help: "Frames left out.", labels: ["why": "late"])     // drops_total{why="late"}
/// ```
/// A name has letters, digits and `_`. An instance has at most 64; on failure the host has logged the reason.
extension Host {
    /// A number that only grows, from 0; `_total` is put behind its name.
    /// - Parameters:
    ///   - unit: `seconds` or `bytes`, put behind the name; `nil` counts things.
    ///   - help: one sentence.
    ///   - labels: what tells metrics of one name apart. Constant.
    /// - Throws: `invalid` for a name or label that cannot be one, `limit` for one too many, `unsupported` where the host
    ///   has no metrics.
    /// - Thread: main.
    public func counter(
        _ name: String, unit: String? = nil, help: String, labels: KeyValuePairs<String, String> = [:]
    ) throws(PluginError) -> Counter {
        let (cell, table) = try declare(name, unit, help, labels, mh_metric_kind(truncatingIfNeeded: MH_METRIC_COUNTER))
        return Counter(cell, table)
    }

    /// A number that goes up and down, from 0; the rest is as for `counter`.
    /// - Thread: main.
    public func gauge(
        _ name: String, unit: String? = nil, help: String, labels: KeyValuePairs<String, String> = [:]
    ) throws(PluginError) -> Gauge {
        let (cell, table) = try declare(name, unit, help, labels, mh_metric_kind(truncatingIfNeeded: MH_METRIC_GAUGE))
        return Gauge(cell, table)
    }

    private func declare(
        _ name: String, _ unit: String?, _ help: String, _ labels: KeyValuePairs<String, String>, _ kind: mh_metric_kind
    ) throws(PluginError) -> (OpaquePointer?, UnsafePointer<mh_metrics_ext_1>) {
        let host = try open("declare metric \(name)")
        guard let table = tables.metrics else { throw missing(.metrics) }
        let strings = CStrings()
        let rows = labels.map { mh_label_1(name: strings.add($0.key), value: strings.add($0.value)) }
        var cell: OpaquePointer?
        let status = rows.withUnsafeBufferPointer { rows in
            var metric = mh_metric_1(
                name: strings.add(name), unit: strings.add(unit), help: strings.add(help), labels: rows.baseAddress,
                kind: kind, label_count: UInt32(clamping: rows.count))
            return withExtendedLifetime(strings) { table.pointee.declare?(host, &metric, &cell) }
        }
        try check(
            status ?? mh_status(truncatingIfNeeded: MH_E_UNSUPPORTED), "the host did not take metric \(name)")
        return (cell, table)
    }
}
