import Glibc
import PluginKit
import Synchronization

/// A clip on its way: a hidden file beside the place it goes to, which it takes only when complete and on the disk.
///
/// Thread: worker. Without `commit` it leaves nothing behind.
struct ClipFile: ~Copyable {
    let path: String
    let descriptor: Int32
    private let temporary: String
    private let directory: String
    private let overwrite: Bool

    private static let counter = Atomic<Int>(0)

    /// Opens the temporary file, so that a wrong path is told before any work is done.
    init(path: String, overwrite: Bool) throws(PluginError) {
        guard !path.utf8.contains(0) else {
            throw PluginError("cannot save: the path has a zero byte", code: .invalid, key: "to")
        }
        let parts = Self.split(path)
        guard !parts.name.isEmpty else {
            throw PluginError("cannot save \(path): it names no file", code: .invalid, key: "to")
        }
        if !overwrite, access(path, F_OK) == 0 { throw Self.exists(path) }
        let (temporary, descriptor) = Self.create(parts.directory, parts.name)
        guard descriptor >= 0 else {
            let code = errno
            throw Self.failure(
                path, code,
                code == ENOENT
                    ? "the directory \(parts.directory) does not exist; make it, or save elsewhere"
                    : Self.text(code, parts.directory))
        }
        self.path = path
        self.overwrite = overwrite
        self.temporary = temporary
        self.descriptor = descriptor
        directory = parts.directory
    }

    /// A file with a lock that says that somebody writes it; see `StaleClips`. A negative descriptor, and `errno`, where
    /// there is none.
    private static func create(_ directory: String, _ name: String) -> (path: String, descriptor: Int32) {
        while true {
            let number = counter.add(1, ordering: .relaxed).newValue
            let path = "\(directory)/.\(name).\(getpid())-\(number).part"
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { return (path, descriptor) }
            // Where a file system knows no locks, nobody else gets one, either.
            let isTaken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
            var info = stat()
            if !isTaken, fstat(descriptor, &info) == 0, info.st_nlink > 0 { return (path, descriptor) }
            // Somebody who looks for stale ones found it before it was locked.
            close(descriptor)
            unlink(path)
        }
    }

    deinit {
        close(descriptor)
        unlink(temporary)
    }

    /// Bytes written so far.
    var size: Int {
        var info = stat()
        return fstat(descriptor, &info) == 0 ? Int(info.st_size) : 0
    }

    /// Puts the file on the disk and then, at once and whole, under its name.
    consuming func commit() throws(PluginError) {
        guard fsync(descriptor) == 0 else {
            throw PluginError("cannot save \(path): could not bring it to the disk: \(Self.text(errno, path))")
        }
        if overwrite {
            guard rename(temporary, path) == 0 else { throw moveFailure() }
        } else {
            try moveWithoutReplacing()
        }
        let parent = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if parent >= 0 {
            // The name, too. A file system that cannot do this has given all it has.
            fsync(parent)
            close(parent)
        }
    }

    /// A second name fails where the name is taken, which a rename does not; the first one goes with `deinit`.
    private borrowing func moveWithoutReplacing() throws(PluginError) {
        if link(temporary, path) == 0 { return }
        let code = errno
        if code == EEXIST { throw Self.exists(path) }
        // FAT and some network file systems know no second names: look, then rename.
        guard code == EPERM || code == EOPNOTSUPP || code == ENOSYS || code == EMLINK else {
            throw Self.failure(path, code, Self.text(code, path))
        }
        if access(path, F_OK) == 0 { throw Self.exists(path) }
        guard rename(temporary, path) == 0 else { throw moveFailure() }
    }

    private borrowing func moveFailure() -> PluginError {
        let code = errno
        return Self.failure(path, code, "could not move it there: \(Self.text(code, path))")
    }

    private static func exists(_ path: String) -> PluginError {
        PluginError(
            "cannot save \(path): it exists; choose another name or pass overwrite=true", code: .invalid, key: "to")
    }

    /// Of a place where no file can be is told whoever chose it; a disk that is full or broken is nobody's mistake.
    private static func failure(_ path: String, _ code: Int32, _ words: String) -> PluginError {
        let text = "cannot save \(path): \(words)"
        switch code {
        case ENOENT: return PluginError(text, code: .notFound, key: "to")
        case ENOTDIR, EISDIR, ENAMETOOLONG, ELOOP, EACCES, EPERM, EROFS, EINVAL, EILSEQ:
            return PluginError(text, code: .invalid, key: "to")
        default: return PluginError(text)
        }
    }

    private static func text(_ code: Int32, _ subject: String) -> String {
        "\(subject): " + (strerror(code).map { String(cString: $0) } ?? "error \(code)")
    }

    static func split(_ path: String) -> (directory: String, name: String) {
        let bytes = path.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[bytes.index(after: slash)...])
        return (slash == bytes.startIndex ? "/" : String(path[..<slash]), name)
    }
}
