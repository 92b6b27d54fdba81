internal import PluginABI

extension HostInterface {
    /// mh.notify.draft/1.
    // Immortal, constant once made.
    static nonisolated(unsafe) let notify = immortal(
        mh_notify_host_1(
            show: { host, notification, token in
                token?.pointee = 0
                guard HostActor.isCurrent else { return mh_status(MH_E_STATE) }
                guard let context = PluginContext.of(host), let notification, let token else {
                    return mh_status(MH_E_INVALID)
                }
                // The caller's, used before it gets its answer, on the thread it called from.
                nonisolated(unsafe) let (request, answer) = (notification, token)
                return HostActor.assumeIsolated {
                    guard let owner = context.owner else { return mh_status(MH_E_STATE) }
                    return owner.showNotification(request, answer)
                }
            },
            withdraw: { host, token in
                guard let context = PluginContext.of(host) else { return mh_status(MH_E_INVALID) }
                guard HostActor.isCurrent else {
                    return mh_status(
                        context.offer(.withdrawNotification(token), "notify.withdraw") ? MH_OK : MH_E_LIMIT)
                }
                return HostActor.assumeIsolated {
                    context.owner?.withdrawNotification(token) ?? mh_status(MH_E_NOT_FOUND)
                }
            }))
}
