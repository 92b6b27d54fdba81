internal import PluginABI

extension HostInterface {
    /// mh.fd-store.draft/1. - Thread: main, worker.
    // Immortal, constant once made.
    static nonisolated(unsafe) let fileStore = immortal(
        mh_fd_store_ext_1(
            keep: { host, name, file in
                withFiles(host, "keep") { (files, instance) throws(KeptFiles.Failure) in
                    try files.keep(file, String(name), of: instance)
                }
            },
            take: { host, name, file in
                file?.pointee = -1
                guard let file else { return mh_status(MH_E_INVALID) }
                return withFiles(host, "take") { (files, instance) throws(KeptFiles.Failure) in
                    file.pointee = try files.take(String(name), of: instance)
                }
            },
            drop: { host, name in
                withFiles(host, "drop") { (files, instance) throws(KeptFiles.Failure) in
                    try files.drop(String(name), of: instance)
                }
            }))

    private static func withFiles(
        _ host: UnsafePointer<mh_host_1>?, _ what: StaticString,
        _ body: (KeptFiles, String) throws(KeptFiles.Failure) -> Void
    ) -> mh_status {
        guard let context = PluginContext.of(host) else { return mh_status(MH_E_INVALID) }
        guard !context.isGone else { return mh_status(MH_E_STATE) }
        guard let files = context.keptFiles else { return mh_status(MH_E_UNSUPPORTED) }
        do throws(KeptFiles.Failure) {
            try body(files, context.instance)
            return mh_status(MH_OK)
        } catch {
            switch error {
            case .unsupported: return mh_status(MH_E_UNSUPPORTED)
            case .invalid: return mh_status(MH_E_INVALID)
            case .notFound: return mh_status(MH_E_NOT_FOUND)
            case .failed(let reason):
                context.log.error("cannot \(what) a file beyond the end of this process: \(reason)")
                return mh_status(MH_E_FAILED)
            }
        }
    }
}
