import PluginABI

extension HostExtension {
    public static let file = HostExtension(rawValue: MH_EXT_FD)
}

extension Host {
    /// Runs `action` on main while a file descriptor is ready. It comes again and again until you have read or written, or
    /// are interested no more; it must not wait.
    ///
    /// ```swift
    /// watch = try host.watch(socket, for: .readable) { [weak self] _ in self?.readAll() }
    /// ```
    /// - Parameter file: a socket, a pipe, a device, an eventfd. It stays yours.
    /// - Returns: what keeps it watched. All end with `deactivate`.
    /// - Throws: `invalid` where it is not open; `unsupported` for regular files, which are always ready; `busy` where it is
    ///   watched already; `limit` where 64 are.
    /// - Thread: main.
    public func watch(
        _ file: Int32, for events: FileEvents, _ action: @escaping @Sendable (FileEvents) -> Void
    ) throws(PluginError) -> FileWatch {
        let host = try open("watch file descriptor \(file)")
        guard let table = tables.file else { throw missing(.file) }
        let status =
            table.pointee.watch?(host, file, events.rawValue) ?? mh_status(truncatingIfNeeded: MH_E_UNSUPPORTED)
        try check(status, "the host does not watch file descriptor \(file)")
        return FileWatch(self, file, files.add(file, action))
    }

    func modify(_ file: Int32, _ number: UInt64, _ events: FileEvents) throws(PluginError) {
        let host = try open("watch file descriptor \(file)")
        guard files.has(file, number) else {
            throw PluginError("file descriptor \(file) is not watched any more", code: .notFound)
        }
        let status =
            tables.file?.pointee.modify?(host, file, events.rawValue) ?? mh_status(truncatingIfNeeded: MH_E_UNSUPPORTED)
        try check(status, "the host does not watch file descriptor \(file)")
    }

    func unwatch(_ file: Int32, _ number: UInt64) {
        guard files.remove(file, number), let host = live else { return }
        _ = tables.file?.pointee.unwatch?(host, file)
    }
}
