internal import CGLib

/// Why a file could not be read, in the system's words.
struct FileError: Error {
    /// `errno`
    var code: Int32

    var text: String { g_strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}
