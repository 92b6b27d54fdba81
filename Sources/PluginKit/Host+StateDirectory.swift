import PluginABI

extension HostExtension {
    public static let stateDirectory = HostExtension(rawValue: MH_EXT_STATE_DIRECTORY)
}

extension Host {
    /// The absolute path of a directory of this instance's own, mode 0700; it is made where it is not there yet. An
    /// instance of the same name finds it again after a restart.
    /// - Throws: `unsupported` where the host has no state directory or no such extension; `failed` where it cannot be
    ///   made, which the host has logged; `state` when the instance is gone.
    /// - Thread: main, worker.
    public func stateDirectory() throws(PluginError) -> String {
        let host = try open("find the state directory")
        guard let table = tables.stateDirectory else { throw missing(.stateDirectory) }
        var path = mh_str_1()
        let status = table.pointee.path?(host, &path) ?? mh_status(truncatingIfNeeded: MH_E_UNSUPPORTED)
        try check(status, "the host gives no directory to keep things in")
        return String(path)
    }
}
