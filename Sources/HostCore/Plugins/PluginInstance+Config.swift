internal import GStreamerKit
internal import PluginABI

/// Another config for an instance that runs.
extension PluginInstance {
    /// What a plugin makes of a config that it is shown.
    enum ConfigVerdict: Sendable, Equatable {
        /// It can be applied.
        case good
        /// It is good, for a new instance.
        case needsNewInstance
        case bad([ConfigRefusal])
    }

    /// Nobody reads more of one plugin.
    private static let mostRefusals = 100

    /// Whether its config can change while it runs, as far as the host knows.
    var isLiveConfigurable: Bool {
        state == .active && configTable?.pointee.validate != nil && configTable?.pointee.apply != nil
    }

    /// What it says to a config; nothing changes. One that takes too long has failed: its policy holds.
    func validate(_ config: Value) -> ConfigVerdict {
        guard isLiveConfigurable, let validate = configTable?.pointee.validate else { return .needsNewInstance }
        let (status, refusals, overrun) = show(config, "validate", validate)
        if let overrun {
            fail(PluginFailure("plugin \(name) \(overrun)"))
            return .bad([ConfigRefusal(key: "", text: "it \(overrun)")])
        }
        switch (status, refusals.isEmpty) {
        case (mh_status(MH_OK), true): return .good
        case (mh_status(MH_E_UNSUPPORTED), true): return .needsNewInstance
        // Whoever says what is wrong has found something wrong, whatever the status.
        case (_, false): return .bad(refusals)
        case (_, true): return .bad([ConfigRefusal(key: "", text: "it does not say why (status \(status))")])
        }
    }

    /// Takes over a config that `validate` found good.
    /// - Returns: why it did not. Which config is in force is not known then.
    func apply(_ config: Value) -> [ConfigRefusal] {
        guard isLiveConfigurable, let apply = configTable?.pointee.apply else {
            return [ConfigRefusal(key: "", text: "it does not run any more")]
        }
        let (status, refusals, overrun) = show(config, "apply", apply)
        if let overrun { return [ConfigRefusal(key: "", text: "it \(overrun)")] }
        guard status != mh_status(MH_OK) else {
            self.config = config
            return []
        }
        return refusals.isEmpty ? [ConfigRefusal(key: "", text: "it does not say why (status \(status))")] : refusals
    }

    func note(_ refusal: ConfigRefusal) {
        if let count = refusals?.count, count < Self.mostRefusals { refusals?.append(refusal) }
    }

    private func show(
        _ config: Value, _ function: String,
        _ body: (UnsafePointer<mh_plugin_1>?, OpaquePointer?) -> mh_status
    ) -> (mh_status, [ConfigRefusal], overrun: String?) {
        refusals = []
        defer { refusals = nil }
        let tree = ValueNode(config)
        let began = context.clock.monotonic()
        let status = withExtendedLifetime(tree) { calling(function) { body(plugin, tree.handle) } }
        return (status, refusals ?? [], CallBudget.overrun(function, took: context.clock.monotonic() - began))
    }
}
