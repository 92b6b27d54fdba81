internal import Glibc

/// Reading files and directories without Foundation. - Thread: any that may do I/O.
enum TextFile {
    /// Who owns a file and who else may read it.
    struct Access {
        var owner: UInt32
        /// The permission bits.
        var mode: UInt32
    }

    /// The bytes of a file, at most one more than `most`: the caller says that it is too large.
    /// - Parameter mayWait: whether a pipe may be waited for.
    static func read(
        _ path: String, most: Int, mayWait: Bool = false
    ) throws(FileError) -> (bytes: [UInt8], access: Access) {
        guard !path.utf8.contains(0) else { throw FileError(code: ENOENT) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (mayWait ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { throw FileError(code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError(code: errno) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(1 << 16, most + 1))
        while bytes.count <= most {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw FileError(code: errno)
            }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return (bytes, Access(owner: status.st_uid, mode: status.st_mode & 0o7777))
    }

    /// The names in a directory, for suggestions; none where it cannot be read.
    static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory.isEmpty ? "." : directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < 1000, let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// The files that a pattern matches, sorted by their bytes; what is not there matches nothing.
    static func matches(_ pattern: String) throws(FileError) -> [String] {
        guard !pattern.utf8.contains(0) else { return [] }
        var result = glob_t()
        defer { globfree(&result) }
        switch glob(pattern, GLOB_NOSORT, { _, code in code == ENOENT || code == ENOTDIR ? 0 : 1 }, &result) {
        case 0: break
        case GLOB_NOMATCH: return []
        case GLOB_NOSPACE: throw FileError(code: ENOMEM)
        default: throw FileError(code: EACCES)
        }
        var paths: [String] = []
        for index in 0..<Int(result.gl_pathc) {
            if let path = result.gl_pathv[index] { paths.append(String(cString: path)) }
        }
        return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The same for every path to the same file; the path itself where there is no file.
    static func identity(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// Everything up to the last `/`, or nothing.
    static func directory(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
    }

    /// `path` as seen from `file`.
    static func resolve(_ path: String, beside file: String) -> String {
        path.utf8.first == UInt8(ascii: "/") ? path : directory(of: file) + path
    }
}
