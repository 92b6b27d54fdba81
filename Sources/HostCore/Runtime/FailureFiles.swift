internal import CGLib
internal import Glibc

/// A directory of reports that never grows beyond its bounds.
struct FailureFiles: Sendable {
    struct File: Sendable, Equatable {
        var name: String
        var bytes: Int64
        /// Nanoseconds since 1970, as the file system has it.
        var modified: Int64
    }

    static let mostFiles = 20
    static let mostBytes: Int64 = 64 << 20

    let directory: String

    /// Writes one file, whole or not at all, then removes the oldest ones that are too many.
    /// - Thread: worker. - Throws: the system's words.
    func write(_ text: String, to name: String) throws(PluginFailure) {
        guard g_mkdir_with_parents(directory, 0o700) == 0 else {
            throw PluginFailure("cannot make \(directory): \(String(cString: strerror(errno)))")
        }
        var failure: UnsafeMutablePointer<GError>?
        var text = text
        let isWritten = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: gchar.self) {
                g_file_set_contents_full(
                    "\(directory)/\(name)", $0.baseAddress, gssize($0.count), G_FILE_SET_CONTENTS_CONSISTENT, 0o600,
                    &failure)
            }
        }
        guard isWritten != 0 else {
            defer { g_clear_error(&failure) }
            throw PluginFailure(failure.map { String(cString: $0.pointee.message) } ?? "cannot write \(name)")
        }
        for old in Self.surplus(list(), newest: name) { unlink("\(directory)/\(old)") }
    }

    /// What has to go, oldest first. The newest always stays, whatever the clock of a board without a battery says.
    static func surplus(_ files: [File], newest: String) -> [String] {
        let others = files.filter { $0.name != newest }.sorted { ($0.modified, $0.name) > ($1.modified, $1.name) }
        var count = files.count - others.count
        var bytes = files.filter { $0.name == newest }.reduce(0) { $0 + $1.bytes }
        var surplus: [String] = []
        for file in others {
            count += 1
            bytes += file.bytes
            if count > mostFiles || bytes > mostBytes { surplus.append(file.name) }
        }
        return surplus.reversed()
    }

    /// All files, those that an earlier process could not finish included.
    private func list() -> [File] {
        guard let entries = g_dir_open(directory, 0, nil) else { return [] }
        defer { g_dir_close(entries) }
        var found: [File] = []
        while let entry = g_dir_read_name(entries) {
            var status = stat()
            let name = String(cString: entry)
            guard lstat("\(directory)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            let modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
            found.append(File(name: name, bytes: Int64(status.st_size), modified: modified))
        }
        return found
    }
}
