internal import PluginABI

extension HostInterface {
    /// mh.timer.draft/1.
    // Immortal, constant once made.
    static nonisolated(unsafe) let timer = immortal(
        mh_timer_host_1(
            arm: { host, timer, token in
                token?.pointee = 0
                guard let context = PluginContext.of(host), let timer, let token else { return mh_status(MH_E_INVALID) }
                guard context.isOnMain("timer.arm") else { return mh_status(MH_E_STATE) }
                let request = timer.pointee
                // The caller's, used before it gets its answer, on the thread it called from.
                nonisolated(unsafe) let answer = token
                return HostActor.assumeIsolated {
                    guard let owner = context.owner else { return mh_status(MH_E_STATE) }
                    return owner.armTimer(request, answer)
                }
            },
            cancel: { host, token in
                guard let context = PluginContext.of(host) else { return mh_status(MH_E_INVALID) }
                guard HostActor.isCurrent else {
                    return mh_status(context.offer(.cancelTimer(token), "timer.cancel") ? MH_OK : MH_E_LIMIT)
                }
                return HostActor.assumeIsolated { context.owner?.cancelTimer(token) ?? mh_status(MH_E_NOT_FOUND) }
            }))
}
