/// The configs that a reload changes under running instances, there and back.
@HostActor
final class LiveConfigs {
    private let changes: [ReloadPlan.LiveChange]
    private let descriptions: [String: PluginDescription]
    /// Instances that have taken theirs, in order.
    private var applied: [(change: ReloadPlan.LiveChange, instance: PluginInstance)] = []
    /// Those that have ended since they were asked: what runs under these names later was made with the new config.
    private var ended: Set<String> = []
    /// The one that did not do what it had agreed to. What it holds now is not known.
    private(set) var failed: (instance: PluginInstance, problems: [Diagnostic])?

    init(_ plan: ReloadPlan) {
        changes = plan.live
        descriptions = Dictionary(plan.new.plugins.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The first that declines after all ends it.
    func apply(to plugins: PluginSet) -> [Diagnostic] {
        for change in changes {
            guard let instance = plugins[change.name], let description = descriptions[change.name] else {
                ended.insert(change.name)
                continue
            }
            let refusals = instance.apply(change.new)
            guard refusals.isEmpty else {
                let problems = refusals.map { $0.diagnostic(of: description) }
                failed = (instance, problems)
                return problems
            }
            applied.append((change, instance))
        }
        return []
    }

    /// Goes back to the old configs, in reverse order.
    /// - Returns: the instances that cannot stay.
    func takeBack(on plugins: PluginSet, _ log: Log) -> [PluginInstance] {
        var stuck = plugins.instances.filter { ended.contains($0.name) || $0 === failed?.instance }
        for (change, instance) in applied.reversed() where plugins[change.name] === instance {
            guard let refusal = instance.apply(change.old).first else { continue }
            log.from("plugin \(change.name)").error(
                "does not take its old config back and is replaced: \(refusal.text)")
            stuck.append(instance)
        }
        applied = []
        ended = []
        failed = nil
        return stuck
    }
}
