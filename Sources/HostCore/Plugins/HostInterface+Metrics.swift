internal import PluginABI

extension HostInterface {
    /// mh.metrics.draft/1.
    // Immortal, constant once made.
    static nonisolated(unsafe) let metrics = immortal(
        mh_metrics_ext_1(
            declare: { host, metric, result in
                result?.pointee = nil
                guard let context = PluginContext.of(host), let metric, let result else {
                    return mh_status(MH_E_INVALID)
                }
                guard context.isOnMain("metrics.declare") else { return mh_status(MH_E_STATE) }
                guard !context.isGone else { return mh_status(MH_E_STATE) }
                do throws(PluginMetrics.Refusal) {
                    result.pointee = try context.metrics.declare(MetricDeclaration(copying: metric.pointee))
                    return mh_status(MH_OK)
                } catch {
                    let name = metric.pointee.name.map { String(cString: $0) } ?? ""
                    context.log.error("cannot declare metric \"\(name)\": \(error.reason)")
                    return mh_status(error.isLimit ? MH_E_LIMIT : MH_E_INVALID)
                }
            },
            add: { MetricCell.add($0, $1) }, set: { MetricCell.set($0, $1) }))
}
