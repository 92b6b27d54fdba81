/// Configs that change while their instances run.
extension PluginSet {
    /// Which instances can take their new config as they are.
    /// - Parameter changed: those of the old and the new configuration whose module or config differs.
    /// - Returns: what is to be applied, which configs are only written in other words, and what plugins say against theirs.
    func liveChanges(
        _ changed: [(old: PluginDescription, new: PluginDescription)], names: KnownNames
    ) -> (changes: [ReloadPlan.LiveChange], same: [String], problems: [Diagnostic]) {
        var changes: [ReloadPlan.LiveChange] = []
        var same: [String] = []
        var problems: [Diagnostic] = []
        for (old, new) in changed where old.module == new.module && old.isEnabled == new.isEnabled {
            guard let instance = self[new.name],
                let library = try? open(new), (try? open(old)) === library,
                let descriptor = library.descriptors.first,
                let config = (try? Self.resolve(new, descriptor, names))?.0
            else { continue }
            // 60s and 1min, or a default that is written out.
            if config == instance.config {
                same.append(new.name)
                continue
            }
            guard instance.isLiveConfigurable else { continue }
            switch instance.validate(config) {
            case .good: changes.append(.init(name: new.name, old: instance.config, new: config))
            case .needsNewInstance: continue
            case .bad(let refusals): problems += refusals.map { $0.diagnostic(of: new) }
            }
        }
        return (changes, same, problems)
    }
}
