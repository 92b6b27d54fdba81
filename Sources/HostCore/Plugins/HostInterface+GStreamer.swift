internal import PluginABI

extension HostInterface {
    /// mh.gst.draft/1. - Thread: main.
    // Immortal, constant once made.
    static nonisolated(unsafe) let gst = immortal(
        mh_gst_host_1(element: { host, path, result in
            result?.pointee = nil
            guard let context = PluginContext.of(host), let result else { return mh_status(MH_E_INVALID) }
            guard context.isOnMain("gst.element") else { return mh_status(MH_E_STATE) }
            guard let path = try? ElementPath(String(path)) else { return mh_status(MH_E_INVALID) }
            // The caller's, used before it gets its answer, on the thread it called from.
            nonisolated(unsafe) let answer = result
            return HostActor.assumeIsolated {
                guard let owner = context.owner, owner.state == .active else { return mh_status(MH_E_STATE) }
                do throws(PluginFailure) {
                    answer.pointee = try owner.element(path)
                    return mh_status(MH_OK)
                } catch {
                    context.log.debug("no element \(path.description): \(error.message)")
                    return mh_status(MH_E_NOT_FOUND)
                }
            }
        }))
}
