internal import HostCore
internal import PluginABI

/// What stands behind `mh.metrics.draft/1` of a fake host: the real one's names, limits and cells.
enum FakeMetrics {
    static func table() -> mh_metrics_ext_1 {
        mh_metrics_ext_1(
            declare: { host, metric, result in
                result?.pointee = nil
                guard let fake = FakeHost.of(host), let metric, let result else {
                    return mh_status(truncatingIfNeeded: MH_E_INVALID)
                }
                do throws(PluginMetrics.Refusal) {
                    result.pointee = try fake.declared.declare(MetricDeclaration(copying: metric.pointee))
                    return 0
                } catch {
                    let reason = error.reason
                    fake.write { $0.log.append("cannot declare a metric: \(reason)") }
                    return mh_status(truncatingIfNeeded: error.isLimit ? MH_E_LIMIT : MH_E_INVALID)
                }
            },
            add: { MetricCell.add($0, $1) }, set: { MetricCell.set($0, $1) })
    }
}
