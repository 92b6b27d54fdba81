internal import CGLib
internal import Glibc

/// Where the control socket is, for the host and for its clients.
///
/// - Thread: any; looks at the file system.
public enum ControlSocket {
    /// What a unix socket address holds without its closing NUL.
    static let longestPathBytes = 107

    /// `$MEDIAHOST_SOCKET`, else `$XDG_RUNTIME_DIR/mediahost/control.sock`, else `/run/mediahost/control.sock` for root,
    /// else a directory under `/tmp` that belongs to the user alone.
    /// - Parameter environment: looks a variable up; the process's own by default.
    /// - Throws: `denied` where that directory is somebody else's or open to others: whoever made it could answer in the
    ///   host's name.
    public static func defaultPath(
        environment: (String) -> String? = ControlSocket.variable
    ) throws(ControlError) -> String {
        try defaultPath(environment: environment, user: getuid(), temporary: "/tmp")
    }

    static func defaultPath(
        environment: (String) -> String?, user: UInt32, temporary: String
    ) throws(ControlError) -> String {
        if let path = environment("MEDIAHOST_SOCKET"), !path.isEmpty { return path }
        // A relative one is to be ignored, says the XDG base directory specification.
        if let directory = environment("XDG_RUNTIME_DIR"), directory.utf8.first == UInt8(ascii: "/") {
            return "\(directory)/mediahost/control.sock"
        }
        if user == 0 { return "/run/mediahost/control.sock" }
        let directory = "\(temporary)/mediahost-\(user)"
        try requirePrivate(directory, user: user)
        return "\(directory)/control.sock"
    }

    /// A variable of the process's environment.
    public static func variable(_ name: String) -> String? { g_getenv(name).map { String(cString: $0) } }

    /// - Throws: `invalid` where no unix socket can have that path.
    static func requireUsable(_ path: String) throws(ControlError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw ControlError(.invalid, "the path of the control socket is empty or holds a NUL")
        }
        guard path.utf8.count <= longestPathBytes else {
            throw ControlError(
                .invalid,
                "the path of the control socket has \(path.utf8.count) bytes, a unix socket takes \(longestPathBytes): "
                    + "`\(path)`: name a shorter one with --socket")
        }
    }

    /// Makes the directory of a socket where it is missing: 0700 for the fallback under `/tmp`, else 0750.
    static func prepareDirectory(of path: String) throws(ControlError) {
        let directory = directory(of: path)
        let user = getuid()
        let isFallback = directory == "/tmp/mediahost-\(user)"
        guard g_mkdir_with_parents(directory, isFallback ? 0o700 : 0o750) == 0 else {
            let number = errno
            throw ControlError(
                number == EACCES ? .denied : .failed,
                "cannot make the directory `\(directory)` of the control socket: \(text(of: number))")
        }
        if isFallback { try requirePrivate(directory, user: user) }
    }

    static func directory(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func text(of number: Int32) -> String { String(cString: g_strerror(number)) }

    /// A directory that does not exist yet is private: whoever makes it checks again.
    private static func requirePrivate(_ directory: String, user: UInt32) throws(ControlError) {
        var info = stat()
        guard lstat(directory, &info) == 0 else {
            let number = errno
            guard number == ENOENT else {
                throw ControlError(.denied, "cannot look at `\(directory)`: \(text(of: number))")
            }
            return
        }
        guard info.st_mode & S_IFMT == S_IFDIR, info.st_uid == user, info.st_mode & 0o077 == 0 else {
            throw ControlError(
                .denied,
                "`\(directory)` must be a directory of user \(user) with mode 0700, and is not: remove it, or name a "
                    + "socket elsewhere with --socket")
        }
    }
}
