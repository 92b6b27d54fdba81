internal import GStreamerKit

/// Plugins that somebody disables and enables while the host runs. A disabled one stays so over reloads, until it is enabled, the
/// host starts anew, or the config says otherwise than before.
extension Host {
    /// Ends the instance in order; returns when it has let go of everything, or its time for that is over.
    /// - Parameter saving: whether it stays away from the next start on, too.
    public func disable(plugin name: String, saving: Bool) async throws(ControlError) -> Value {
        let description = try requireDescription(name)
        try requireNoReload()
        restarts.forget(name)
        plugins.forgetFailure(of: name)
        if disabledPlugins.insert(name).inserted {
            log.from("plugin \(name)").notice("disabled on request")
            events.post("plugin.disabled", source: name, .map([]))
        }
        if let instance = plugins[name] {
            lifecycle.remove(instance)
            plugins.retire([instance]) {}
        }
        // One that has failed, or was disabled just now, may hold on, too.
        await withCheckedContinuation { continuation in
            plugins.awaitGone({ $0 == name }) { continuation.resume() }
        }
        return try await showPlugin(description.name, savingIsEnabled: saving ? false : nil)
    }

    /// Begins an instance where none runs, whether it was disabled or has failed.
    /// - Parameter saving: whether it begins at the next start, too.
    public func enable(plugin name: String, saving: Bool) async throws(ControlError) -> Value {
        try await admit(requireDescription(name))
        // A reload may have come and gone meanwhile.
        let description = try requireDescription(name)
        try requireNoReload()
        guard !plugins.isLeaving(name) else {
            throw ControlError(.busy, "plugin \(name) has not let go of everything yet: try again in a moment")
        }
        restarts.forget(name)
        let wasDisabled = disabledPlugins.remove(name) != nil
        if plugins[name] == nil {
            if let failure = beginAgain(description) {
                announceFailure(of: name, failure, description.policy)
                // The host has gone on without it, and does: who asked is told.
                if wasDisabled, description.policy == .stopHost { disabledPlugins.insert(name) }
                if description.policy == .restart { restarts.failed(name) }
                throw ControlError(.failed, "plugin \(name) does not begin: \(failure.message)")
            }
            log.from("plugin \(name)").notice("enabled on request")
            events.post("plugin.enabled", source: name, .map([]))
        }
        return try await showPlugin(name, savingIsEnabled: saving ? true : nil)
    }

    /// One that was disabled from the start on was not looked for.
    private func admit(_ description: PluginDescription) async throws(ControlError) {
        guard plugins[description.name] == nil, (try? gate.library(of: description)) == nil else { return }
        let isDone = await workers.result(within: ReloadCheck.limit, clock: clock) { [gate] in
            gate.admit([description])
            return true
        }
        guard isDone != nil else {
            throw ControlError(.busy, "looking for the library of plugin \(description.name) takes too long: try again")
        }
    }

    /// Why a plugin of the config cannot be asked anything.
    func absence(of name: String) -> ControlError {
        guard configuration.plugins.contains(where: { $0.name == name }) else {
            return unknownPlugin(name, among: plugins.instances.map(\.name))
        }
        if disabledPlugins.contains(name) {
            return ControlError(.state, "plugin \(name) is disabled: `mediahost plugin enable \(name)` begins it")
        }
        let reason = plugins.failures[name].map { ": \($0.message)" } ?? ""
        return ControlError(.state, "plugin \(name) does not run\(reason)")
    }

    private func requireDescription(_ name: String) throws(ControlError) -> PluginDescription {
        if let description = configuration.plugins.first(where: { $0.name == name }) { return description }
        throw unknownPlugin(name, among: configuration.plugins.map(\.name))
    }

    private func requireNoReload() throws(ControlError) {
        guard !isEnding else { throw ControlError(.busy, "the host is stopping") }
        guard !reloader.isApplying else { throw ControlError(.busy, "the config is being reloaded: try again") }
    }
}
