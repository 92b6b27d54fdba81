public import HostCore
internal import PluginABI

extension FakeInstance {
    /// What becomes of a running instance when its config changes.
    public enum Change: Equatable, Sendable {
        /// It has taken it over.
        case applied
        /// It is good, but the host would make a new instance.
        case needsNewInstance
    }

    /// Another config, as a reload brings it: through its schema first, then `validate`, then `apply`.
    /// - Parameter config: as users write it.
    /// - Throws: what the schema or the plugin says against it, with the key.
    @discardableResult
    public func apply(_ config: Value) throws(Broken) -> Change {
        let resolved = try Self.resolve(config, with: configSchema)
        guard let table = try? table(MH_EXT_CONFIG, as: mh_config_plugin_1.self).pointee else {
            return .needsNewInstance
        }
        let before = fake.seen.refusals.count
        let verdict = fake.lend(resolved) { table.validate?(plugin, $0) }
        if verdict == mh_status(truncatingIfNeeded: MH_E_UNSUPPORTED), fake.seen.refusals.count == before {
            return .needsNewInstance
        }
        try check(verdict, before)
        try check(fake.lend(resolved) { table.apply?(plugin, $0) }, before)
        return .applied
    }

    private func check(_ status: mh_status?, _ before: Int) throws(Broken) {
        let refusals = fake.seen.refusals.dropFirst(before)
        guard status != 0 || !refusals.isEmpty else { return }
        let texts = refusals.map { $0.key.isEmpty ? $0.text : "\($0.key): \($0.text)" }
        throw Broken(
            description: texts.isEmpty ? "the config is refused without a reason" : texts.joined(separator: "\n"))
    }
}
