/// Plugins that somebody disables and enables while the host runs. A disabled one stays so over reloads, until it is enabled or the
/// host starts anew.
extension Host {
    /// Ends the instance in order; returns when it has let go of everything, or its time for that is over.
    public func disable(plugin name: String) async throws(ControlError) -> Value {
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
            await withCheckedContinuation { continuation in plugins.retire([instance]) { continuation.resume() } }
        }
        return try showPlugin(description.name)
    }

    /// Begins an instance where none runs, whether it was disabled or has failed.
    public func enable(plugin name: String) throws(ControlError) -> Value {
        let description = try requireDescription(name)
        try requireNoReload()
        guard !plugins.isLeaving(name) else {
            throw ControlError(.busy, "plugin \(name) has not let go of everything yet: try again in a moment")
        }
        restarts.forget(name)
        disabledPlugins.remove(name)
        if plugins[name] == nil {
            if let failure = beginAgain(description) {
                announceFailure(of: name, failure, description.policy)
                if description.policy == .restart { restarts.failed(name) }
                throw ControlError(
                    .failed, configuration.secrets.mask("plugin \(name) does not begin: \(failure.message)"))
            }
            log.from("plugin \(name)").notice("enabled on request")
            events.post("plugin.enabled", source: name, .map([]))
        }
        return try showPlugin(name)
    }

    /// Why a plugin of the config cannot be asked anything.
    func absence(of name: String) -> ControlError {
        guard configuration.plugins.contains(where: { $0.name == name }) else {
            return unknownPlugin(name, among: plugins.instances.map(\.name))
        }
        if disabledPlugins.contains(name) {
            return ControlError(.state, "plugin \(name) is disabled: `mediahost plugin enable \(name)` begins it")
        }
        let reason = plugins.failures[name].map { ": \(configuration.secrets.mask($0.message))" } ?? ""
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
