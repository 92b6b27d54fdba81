internal import PluginABI

/// mh.config.draft/1.
extension GuardTables {
    // Immortal, constant once made.
    static nonisolated(unsafe) let config = immortal(
        mh_config_host_1(refuse: { host, key, words in
            guard let plugin = GuardedPlugin.calling(.refuse, host) else { return }
            _ = plugin.ask(
                .refuse, .string(text(key, "config.refuse")), .string(text(words, "config.refuse")))
        }))
}
