internal import Glibc
internal import PluginABI

extension HostPlace {
    /// The plugin's number and what it is interested in; the descriptor itself where the plugin is elsewhere.
    func watch(_ call: TrialCall) -> [Value] {
        let number = Int32(truncatingIfNeeded: call[0].int ?? -1)
        if files.has(number), let file = call.file {
            // Watched already; the host says so.
            close(file)
        } else if let file = call.file {
            files.keep(file, for: number)
        }
        let interest = UInt32(truncatingIfNeeded: call[1].int ?? 0)
        let status = HostInterface.file.pointee.watch?(table, files.here(number), interest) ?? -1
        if status != mh_status(MH_OK), status != mh_status(MH_E_BUSY) { files.close(number) }
        return [.int(Int64(status))]
    }

    func modify(_ call: TrialCall) -> [Value] {
        let file = files.here(Int32(truncatingIfNeeded: call[0].int ?? -1))
        let interest = UInt32(truncatingIfNeeded: call[1].int ?? 0)
        return [.int(Int64(HostInterface.file.pointee.modify?(table, file, interest) ?? -1))]
    }

    func unwatch(_ call: TrialCall) -> [Value] {
        let number = Int32(truncatingIfNeeded: call[0].int ?? -1)
        let status = HostInterface.file.pointee.unwatch?(table, files.here(number)) ?? -1
        if HostActor.isCurrent {
            files.close(number)
        } else {
            // Behind the host's own request, which is on its way.
            let files = files
            HostActor.enqueue { HostActor.enqueue { files.close(number) } }
        }
        return [.int(Int64(status))]
    }
}
