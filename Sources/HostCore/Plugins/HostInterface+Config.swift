internal import PluginABI

extension HostInterface {
    /// mh.config.draft/1. - Thread: main, inside `validate` or `apply`.
    // Immortal, constant once made.
    static nonisolated(unsafe) let config = immortal(
        mh_config_host_1(refuse: { host, key, text in
            guard HostActor.isCurrent, let context = PluginContext.of(host) else { return }
            let refusal = ConfigRefusal(key: String(key), text: String(text))
            HostActor.assumeIsolated { context.owner?.note(refusal) }
        }))
}
