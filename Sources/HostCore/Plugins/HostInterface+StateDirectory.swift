internal import PluginABI

extension HostInterface {
    /// mh.state-directory.draft/1. - Thread: main, worker.
    // Immortal, constant once made.
    static nonisolated(unsafe) let stateDirectory = immortal(
        mh_state_directory_ext_1(path: { host, path in
            path?.pointee = mh_str_1()
            guard let context = PluginContext.of(host), let path else { return mh_status(MH_E_INVALID) }
            switch context.directory.find() {
            case .path(let text):
                path.pointee = mh_str_1(ptr: text.baseAddress, len: text.count - 1)
                return mh_status(MH_OK)
            case .none: return mh_status(MH_E_UNSUPPORTED)
            case .failed(let reason):
                context.log.error("has no directory of its own: \(reason)")
                return mh_status(MH_E_FAILED)
            }
        }))
}
