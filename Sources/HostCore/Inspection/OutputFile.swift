internal import CGLib
internal import Glibc

/// A file that a command writes for its user: whole or not at all.
public enum OutputFile {
    public enum Failure: Error, Sendable, Equatable {
        /// It is there already and was not to be replaced.
        case exists
        case cannot(String)
    }

    /// - Parameter replacing: whether a file of that name may go; else not even a race replaces one.
    /// - Thread: worker or a short-lived process.
    public static func write(_ text: String, to path: String, replacing: Bool) throws(Failure) {
        try write(Array(text.utf8), to: path, replacing: replacing)
    }

    /// The same for what is no text.
    public static func write(_ bytes: [UInt8], to path: String, replacing: Bool) throws(Failure) {
        var failure: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&failure) }
        if replacing {
            let isWritten = bytes.withUnsafeBytes { bytes in
                g_file_set_contents(
                    path, bytes.baseAddress?.assumingMemoryBound(to: gchar.self), gssize(bytes.count), &failure) != 0
            }
            guard isWritten else {
                throw .cannot(failure.map { String(cString: $0.pointee.message) } ?? "cannot write \(path)")
            }
            return
        }
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else {
            if errno == EEXIST { throw .exists }
            throw .cannot("cannot write \(path): \(String(cString: strerror(errno)))")
        }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let reason = String(cString: strerror(errno))
                close(file)
                unlink(path)
                throw .cannot("cannot write \(path): \(reason)")
            }
            written += count
        }
        guard close(file) == 0 else { throw .cannot("cannot write \(path): \(String(cString: strerror(errno)))") }
    }
}
