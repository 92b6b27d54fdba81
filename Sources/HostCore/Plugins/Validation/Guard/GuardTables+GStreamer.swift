internal import PluginABI

/// mh.gst.draft/1, in the host's process only: what crosses is an address.
extension GuardTables {
    // Immortal, constant once made.
    static nonisolated(unsafe) let gst = immortal(
        mh_gst_host_1(element: { host, path, element in
            element?.pointee = nil
            guard let plugin = GuardedPlugin.calling(.element, host) else { return mh_status(MH_E_STATE) }
            guard let element else { return mh_status(MH_E_INVALID) }
            let answer = plugin.ask(.element, .string(text(path, "gst.element")))
            if answer.count > 1 {
                element.pointee = answer[1].int.flatMap { UnsafeMutableRawPointer(bitPattern: Int(clamping: $0)) }
            }
            return answer.status
        }))
}
