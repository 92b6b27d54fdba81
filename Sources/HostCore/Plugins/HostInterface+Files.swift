internal import PluginABI

extension HostInterface {
    /// mh.fd.draft/1.
    // Immortal, constant once made.
    static nonisolated(unsafe) let file = immortal(
        mh_fd_host_1(
            watch: { host, file, interest in
                guard let context = PluginContext.of(host) else { return mh_status(MH_E_INVALID) }
                guard context.isOnMain("fd.watch") else { return mh_status(MH_E_STATE) }
                return HostActor.assumeIsolated {
                    context.owner?.watchFile(file, interest) ?? mh_status(MH_E_STATE)
                }
            },
            modify: { host, file, interest in
                guard let context = PluginContext.of(host) else { return mh_status(MH_E_INVALID) }
                guard context.isOnMain("fd.modify") else { return mh_status(MH_E_STATE) }
                return HostActor.assumeIsolated {
                    context.owner?.modifyFile(file, interest) ?? mh_status(MH_E_STATE)
                }
            },
            unwatch: { host, file in
                guard let context = PluginContext.of(host) else { return mh_status(MH_E_INVALID) }
                guard HostActor.isCurrent else {
                    let watch = context.watch(of: file)
                    return mh_status(context.offer(.unwatchFile(file, watch), "fd.unwatch") ? MH_OK : MH_E_LIMIT)
                }
                return HostActor.assumeIsolated { context.owner?.unwatchFile(file) ?? mh_status(MH_E_NOT_FOUND) }
            }))
}
