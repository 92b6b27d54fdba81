internal import Glibc

/// Which file a library is: another file under the same name is another library.
struct LibraryIdentity: Sendable, Equatable, Hashable {
    /// Without links.
    var path: String
    var device: UInt64
    var inode: UInt64
    var modifiedNanoseconds: Int64
    var bytes: Int64
}

extension LibraryIdentity {
    /// - Thread: worker.
    static func read(_ path: String) throws(PluginFailure) -> LibraryIdentity {
        guard let resolved = realpath(path, nil) else { throw unreadable(path) }
        defer { free(resolved) }
        var status = stat()
        guard stat(resolved, &status) == 0 else { throw unreadable(path) }
        // A pipe or a device would keep whoever reads it waiting.
        guard status.st_mode & S_IFMT == S_IFREG else { throw PluginFailure("\(path) is no file") }
        let (seconds, nanoseconds) = (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
        return LibraryIdentity(
            path: String(cString: resolved), device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
            modifiedNanoseconds: seconds &* 1_000_000_000 &+ nanoseconds, bytes: Int64(status.st_size))
    }

    private static func unreadable(_ path: String) -> PluginFailure {
        PluginFailure("cannot read \(path): \(String(cString: strerror(errno)))")
    }
}
