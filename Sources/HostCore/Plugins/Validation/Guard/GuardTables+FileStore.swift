internal import PluginABI

/// mh.fd-store.draft/1. What `take` answers is a descriptor, so no other process has it.
extension GuardTables {
    // Immortal, constant once made.
    static nonisolated(unsafe) let fileStore = immortal(
        mh_fd_store_ext_1(
            keep: { host, name, file in
                guard let plugin = GuardedPlugin.calling(.keepFile, host) else { return mh_status(MH_E_STATE) }
                return plugin.ask(.keepFile, .string(text(name, "fd-store.keep")), .int(Int64(file))).status
            },
            take: { host, name, file in
                file?.pointee = -1
                guard let plugin = GuardedPlugin.calling(.takeFile, host) else { return mh_status(MH_E_STATE) }
                guard let file else { return mh_status(MH_E_INVALID) }
                let answer = plugin.ask(.takeFile, .string(text(name, "fd-store.take")))
                if answer.count > 1 { file.pointee = Int32(truncatingIfNeeded: answer[1].int ?? -1) }
                return answer.status
            },
            drop: { host, name in
                guard let plugin = GuardedPlugin.calling(.dropFile, host) else { return mh_status(MH_E_STATE) }
                return plugin.ask(.dropFile, .string(text(name, "fd-store.drop"))).status
            }))
}
