/// Configs that change while their instances run.
extension PluginSet {
    /// Which instances can take their new config as they are.
    /// - Parameter changed: those of the old and the new configuration whose module or config differs.
    /// - Returns: what is to be applied, and what plugins say against it.
    func liveChanges(
        _ changed: [(old: PluginDescription, new: PluginDescription)], names: KnownNames
    ) -> (changes: [ReloadPlan.LiveChange], problems: [Diagnostic]) {
        var changes: [ReloadPlan.LiveChange] = []
        var problems: [Diagnostic] = []
        for (old, new) in changed where old.module == new.module {
            guard let instance = self[new.name], instance.isLiveConfigurable,
                let library = try? open(new), (try? open(old)) === library,
                let descriptor = library.descriptors.first,
                let config = (try? Self.resolve(new, descriptor, names))?.0
            else { continue }
            switch instance.validate(config) {
            case .good: changes.append(.init(name: new.name, old: instance.config, new: config))
            case .needsNewInstance: continue
            case .bad(let refusals): problems += refusals.map { $0.diagnostic(of: new) }
            }
        }
        return (changes, problems)
    }
}
