internal import CGLib
internal import Glibc

/// A listening unix socket and the file that stands for it.
///
/// Ownership: `takeDescriptor` hands the descriptor on; one that nobody took is closed by `remove`.
/// - Thread: main, at the start: short calls of the file system, and up to a second of waiting for another host that starts.
@HostActor
final class ListeningSocket {
    private enum Occupant { case nobody, stale, alive }

    private let path: String
    private var descriptor: Int32?
    private let device: dev_t
    private let inode: ino_t

    /// Others hold the directory for a few calls of the file system, or until a program that they begin runs. Nothing tells when they
    /// are done but the lock itself, and who waits in that waits for ever for a host that was stopped.
    private static let rounds = 100

    /// Binds `path` with the mode and the group of `access`, in place of a file that a dead host left behind.
    /// - Parameter pause: between two looks at whether another that starts in the same directory is done, a hundredth of a second.
    /// - Throws: `busy` where that takes longer than a second, `state` where a host answers there, `invalid` for an impossible path
    ///   or a file that is no socket, `denied` or `failed` with the system's words.
    init(
        path: String, access: SocketAccess = SocketAccess(), pause: () -> Void = { usleep(10_000) }
    ) throws(ControlError) {
        try ControlSocket.requireUsable(path)
        try ControlSocket.prepareDirectory(of: path)
        // Two hosts that start at once must not take each other's fresh socket for a stale one.
        let directory = ControlSocket.directory(of: path)
        let lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw Self.failure("open `\(directory)`") }
        defer { close(lock) }
        try Self.take(lock, directory, pause)
        switch try Self.occupant(of: path) {
        case .nobody: break
        case .stale: guard unlink(path) == 0 else { throw Self.failure("remove the stale socket `\(path)`") }
        case .alive:
            throw ControlError(
                .state,
                "another mediahost answers at `\(path)`: stop it, or give this one another socket with --socket")
        }
        let descriptor = try Self.bind(path, access)
        var info = stat()
        guard lstat(path, &info) == 0 else {
            let error = Self.failure("look at `\(path)`")
            close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
        device = info.st_dev
        inode = info.st_ino
    }

    /// The descriptor, owned by the caller from now on; nil the second time.
    func takeDescriptor() -> Int32? {
        defer { descriptor = nil }
        return descriptor
    }

    /// Removes the file, unless somebody put another in its place.
    func remove() {
        if let descriptor { close(descriptor) }
        descriptor = nil
        var info = stat()
        guard lstat(path, &info) == 0, info.st_dev == device, info.st_ino == inode else { return }
        unlink(path)
    }

    private static func take(_ lock: Int32, _ directory: String, _ pause: () -> Void) throws(ControlError) {
        for _ in 0..<rounds {
            if flock(lock, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EWOULDBLOCK || errno == EINTR else { throw failure("lock `\(directory)`") }
            pause()
        }
        throw ControlError(.busy, "another mediahost is starting in `\(directory)`, and is not done yet: try again")
    }

    private static func bind(_ path: String, _ access: SocketAccess) throws(ControlError) -> Int32 {
        let group = try access.group.map { name throws(ControlError) in try AccountName.group(name) }
        let descriptor = try newSocket()
        // Linux takes the mode of the file from the socket, so it is never open to others, not even before chmod.
        fchmod(descriptor, group == nil ? access.mode : access.mode & 0o600)
        guard withAddress(path, { Glibc.bind(descriptor, $0, $1) }) == 0 else {
            let error = failure("bind the control socket `\(path)`")
            close(descriptor)
            throw error
        }
        // The group before the mode that opens the file to it.
        if let group, chown(path, uid_t.max, group) != 0 {
            let number = errno
            close(descriptor)
            unlink(path)
            throw ControlError(
                .denied,
                "cannot give the control socket to the group `\(access.group ?? "")`: \(ControlSocket.text(of: number)); "
                    + "the host's user must be a member of it, or root")
        }
        // The umask may have taken the group's bits away.
        guard chmod(path, access.mode) == 0, listen(descriptor, SOMAXCONN) == 0 else {
            let error = failure("listen on the control socket `\(path)`")
            close(descriptor)
            unlink(path)
            throw error
        }
        return descriptor
    }

    private static func occupant(of path: String) throws(ControlError) -> Occupant {
        var info = stat()
        guard lstat(path, &info) == 0 else {
            guard errno == ENOENT else { throw failure("look at `\(path)`") }
            return .nobody
        }
        guard info.st_mode & S_IFMT == S_IFSOCK else {
            throw ControlError(.invalid, "`\(path)` is no socket and stays as it is: name another path with --socket")
        }
        let descriptor = try newSocket()
        defer { close(descriptor) }
        if withAddress(path, { connect(descriptor, $0, $1) }) == 0 { return .alive }
        switch errno {
        case ECONNREFUSED: return .stale
        case ENOENT: return .nobody
        case EAGAIN: return .alive  // its queue is full
        default: throw failure("ask who answers at `\(path)`")
        }
    }

    private static func newSocket() throws(ControlError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw failure("make a unix socket") }
        return descriptor
    }

    /// The length of `path` was checked before.
    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// What `errno` says about an attempt.
    private static func failure(_ attempt: String) -> ControlError {
        let number = errno
        return ControlError(
            number == EACCES || number == EPERM ? .denied : .failed,
            "cannot \(attempt): \(ControlSocket.text(of: number))")
    }
}
