internal import Glibc
internal import GStreamerKit
internal import PluginABI

/// The file descriptors an instance has the host look at.
extension PluginInstance {
    static let mostFiles = 64
    private static let knownEvents = mh_fd_events(MH_FD_READABLE | MH_FD_WRITABLE | MH_FD_ERROR | MH_FD_HUNG_UP)

    func watchFile(_ file: Int32, _ interest: mh_fd_events) -> mh_status {
        guard state == .active else { return mh_status(MH_E_STATE) }
        guard fileTable?.pointee.on_fd != nil else { return mh_status(MH_E_UNSUPPORTED) }
        var facts = stat()
        guard interest & ~Self.knownEvents == 0, file >= 0, fstat(file, &facts) == 0 else {
            return mh_status(MH_E_INVALID)
        }
        let kind = facts.st_mode & S_IFMT
        guard kind != S_IFREG, kind != S_IFDIR else { return mh_status(MH_E_UNSUPPORTED) }
        guard files[file] == nil else { return mh_status(MH_E_BUSY) }
        guard files.count < Self.mostFiles else {
            if PluginCounters.count(context.counters.refusedFiles) {
                context.log.warning(
                    "wants more than \(Self.mostFiles) file descriptors watched; those over it are not, "
                        + "said once, counted from here on")
            }
            return mh_status(MH_E_LIMIT)
        }
        context.beginWatch(file)
        files[file] = PluginFile(
            file, interest, bucket: fileBuckets.removeValue(forKey: file) ?? PluginFile.fullBucket, clock: context.clock
        ) { [weak self] in self?.tell(file, $0) }
        return mh_status(MH_OK)
    }

    func modifyFile(_ file: Int32, _ interest: mh_fd_events) -> mh_status {
        guard state == .active else { return mh_status(MH_E_STATE) }
        guard interest & ~Self.knownEvents == 0 else { return mh_status(MH_E_INVALID) }
        guard let watched = files[file] else { return mh_status(MH_E_NOT_FOUND) }
        watched.modify(interest)
        return mh_status(MH_OK)
    }

    func unwatchFile(_ file: Int32) -> mh_status {
        guard let watched = files.removeValue(forKey: file) else { return mh_status(MH_E_NOT_FOUND) }
        watched.end()
        fileBuckets[file] = watched.bucket
        return mh_status(MH_OK)
    }

    func endFiles() {
        for file in files.values { file.end() }
        files = [:]
    }

    private func tell(_ file: Int32, _ call: PluginFile.Call) {
        guard state == .active else { return }
        switch call {
        case .ready(let events):
            guard let onFile = fileTable?.pointee.on_fd else { return }
            calling("on_fd") { onFile(plugin, file, events) }
        case .busy:
            guard PluginCounters.count(context.counters.busyFiles) else { return }
            context.log.warning(
                "file descriptor \(file) is ready more than \(PluginFile.perSecond) times in a second: is it read? "
                    + "It is looked at less often, said once, counted from here on")
        case .closed:
            _ = unwatchFile(file)
            context.log.warning("file descriptor \(file) was closed while it was watched; unwatch it first")
        }
    }
}
