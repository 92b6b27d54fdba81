internal import PluginABI

/// mh.fd.draft/1. A descriptor goes over the wire as what it stands for, under the plugin's own number.
extension GuardTables {
    // Immortal, constant once made.
    static nonisolated(unsafe) let file = immortal(
        mh_fd_host_1(
            watch: { host, file, interest in
                guard let plugin = GuardedPlugin.calling(.watch, host) else { return mh_status(MH_E_STATE) }
                return plugin.ask(.watch, .int(Int64(file)), .int(Int64(interest)), file: file).status
            },
            modify: { host, file, interest in
                guard let plugin = GuardedPlugin.calling(.modify, host) else { return mh_status(MH_E_STATE) }
                return plugin.ask(.modify, .int(Int64(file)), .int(Int64(interest))).status
            },
            unwatch: { host, file in
                guard let plugin = GuardedPlugin.calling(.unwatch, host) else { return mh_status(MH_E_STATE) }
                return plugin.ask(.unwatch, .int(Int64(file))).status
            }))
}
