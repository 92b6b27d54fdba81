/// What becomes of the host, or of a plugin's instance, when it fails at run time.
extension Host {
    func policy(of plugin: String) -> PluginPolicy {
        (reloader.target ?? configuration).plugins.first { $0.name == plugin }?.policy ?? .disable
    }

    /// One has failed, and no reload has it in hand.
    func follow(_ policy: PluginPolicy, of plugin: String) {
        switch policy {
        case .disable: log.from("plugin \(plugin)").notice("disabled (policy: disable)")
        case .restart: restarts.failed(plugin)
        case .stopHost:
            guard !isEnding else { return }
            log.error("plugin \(plugin) has failed, and its policy is stop-host: the host ends")
            shutDown(.failed)
        }
    }

    /// Whether nothing is left of a plugin but why it failed. One that is disabled is to be away.
    private func isMissing(_ plugin: PluginDescription) -> Bool {
        plugins.failures[plugin.name] != nil && plugins[plugin.name] == nil && !disabledPlugins.contains(plugin.name)
    }

    /// A reload is over: what has failed, also while it went on, goes by the policy that holds from now on.
    func followPluginPolicies(failedBefore: [String: PluginFailure]) {
        for name in disabledPlugins {
            restarts.forget(name)
            plugins.forgetFailure(of: name)
        }
        for plugin in configuration.plugins where isMissing(plugin) {
            let isNew = plugins.failures[plugin.name] != failedBefore[plugin.name]
            // That one stays away was said when it failed.
            if isNew || plugin.policy != .disable { follow(plugin.policy, of: plugin.name) }
        }
    }

    /// Makes an instance of a plugin that has failed once more.
    /// - Returns: why that failed, too, which is in the log by then.
    func beginAgain(_ description: PluginDescription) -> PluginFailure? {
        let before = plugins.instances.map(\.name)
        let problems = plugins.begin([description], names: configuration.knownNames, environment: self)
        for problem in secrets.mask(problems) {
            log.from("plugin \(description.name)").error(String(DiagnosticRenderer().render(problem).dropLast()))
        }
        plugins.arrange(by: configuration.plugins.map(\.name))
        if !before.contains(description.name), let instance = plugins[description.name] {
            lifecycle.welcome(instance)
            lifecycle.arrange(by: configuration.plugins.map(\.name))
        }
        return problems.first.map { PluginFailure($0.message, help: $0.help) }
    }

    func announceFailure(of plugin: String, _ error: PluginFailure, _ policy: PluginPolicy) {
        events.post(
            "plugin.failed", source: plugin,
            ["message": .string(secrets.mask(error.message)), "policy": .string(policy.rawValue)])
    }
}
