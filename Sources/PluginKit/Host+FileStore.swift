import PluginABI

extension HostExtension {
    public static let fileStore = HostExtension(rawValue: MH_EXT_FD_STORE)
}

/// Files without a name that an instance finds again after the process was killed: memory in a memfd, as a rule.
///
/// Names are 1 to 64 characters of a-z, 0-9 and `-`, and each instance's own.
extension Host {
    /// Keeps a duplicate of a file; what was kept under that name goes.
    /// - Throws: `unsupported` where nobody would hold it, or the host has no such extension; `invalid` for what is no name
    ///   or no descriptor; `failed` where it was not taken, which the host has logged.
    /// - Thread: main, worker.
    public func keepFile(_ name: String, _ file: Int32) throws(PluginError) {
        let (host, table) = try openFileStore("keep \(name)")
        let status = name.withText { table.pointee.keep?(host, $0, file) }
        try check(status ?? Self.unsupported, "the host does not keep \(name)")
    }

    /// A new descriptor for what was kept, by this process or one before; the caller closes it. Nil where nothing was.
    /// - Throws: as above.
    /// - Thread: main, worker.
    public func takeFile(_ name: String) throws(PluginError) -> Int32? {
        let (host, table) = try openFileStore("take \(name)")
        var file: Int32 = -1
        let status = name.withText { table.pointee.take?(host, $0, &file) } ?? Self.unsupported
        if status == mh_status(truncatingIfNeeded: MH_E_NOT_FOUND) { return nil }
        try check(status, "the host does not give \(name) back")
        return file
    }

    /// Lets go of what was kept, if anything was.
    /// - Throws: as above.
    /// - Thread: main, worker.
    public func dropFile(_ name: String) throws(PluginError) {
        let (host, table) = try openFileStore("drop \(name)")
        let status = name.withText { table.pointee.drop?(host, $0) } ?? Self.unsupported
        if status == mh_status(truncatingIfNeeded: MH_E_NOT_FOUND) { return }
        try check(status, "the host does not let go of \(name)")
    }

    private static var unsupported: mh_status { mh_status(truncatingIfNeeded: MH_E_UNSUPPORTED) }

    private func openFileStore(
        _ what: String
    ) throws(PluginError) -> (UnsafePointer<mh_host_1>, UnsafePointer<mh_fd_store_ext_1>) {
        let host = try open(what)
        guard let table = tables.fileStore else { throw missing(.fileStore) }
        return (host, table)
    }
}
