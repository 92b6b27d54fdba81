internal import CGLib
internal import Glibc

/// Directories and files of a template.
enum Directory {
    /// The paths of all files below it, relative to it and in order; what a build left there is not among them.
    static func files(_ root: String) throws(PluginScaffold.Failure) -> [String] {
        var found: [String] = []
        for name in try names(root).sorted() where !isBuildProduct(name) {
            let path = "\(root)/\(name)"
            if g_file_test(path, G_FILE_TEST_IS_DIR) != 0 {
                found += try files(path).map { "\(name)/\($0)" }
            } else {
                found.append(name)
            }
        }
        return found
    }

    static func names(_ path: String) throws(PluginScaffold.Failure) -> [String] {
        var failure: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&failure) }
        guard let directory = g_dir_open(path, 0, &failure) else { throw .init(failure, "cannot read \(path)") }
        defer { g_dir_close(directory) }
        var names: [String] = []
        while let name = g_dir_read_name(directory) { names.append(String(cString: name)) }
        return names
    }

    /// The text of a file, or nil where it is none.
    static func text(_ path: String) throws(PluginScaffold.Failure) -> String? {
        var failure: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&failure) }
        var contents: UnsafeMutablePointer<CChar>?
        var length: gsize = 0
        guard g_file_get_contents(path, &contents, &length, &failure) != 0, let contents else {
            throw .init(failure, "cannot read \(path)")
        }
        defer { g_free(contents) }
        guard g_utf8_validate_len(contents, length, nil) != 0 else { return nil }
        return String(cString: contents)
    }

    /// What a symbolic link leads to.
    static func target(of link: String) throws(PluginScaffold.Failure) -> String {
        var failure: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&failure) }
        guard let path = g_file_read_link(link, &failure) else { throw .init(failure, "cannot read \(link)") }
        defer { g_free(path) }
        return String(cString: path)
    }

    /// With all that are missing above it.
    static func create(_ path: String) throws(PluginScaffold.Failure) {
        guard g_mkdir_with_parents(path, 0o777) != 0 else { return }
        throw .init(text: "cannot make the directory \(path): \(String(cString: g_strerror(errno)))")
    }

    private static func isBuildProduct(_ name: String) -> Bool {
        name == ".build" || name == "Package.resolved" || [".so", ".o"].contains { name.hasSuffix($0) }
    }
}

extension PluginScaffold.Failure {
    fileprivate init(_ error: UnsafeMutablePointer<GError>?, _ fallback: String) {
        self.init(text: error.map { String(cString: $0.pointee.message) } ?? fallback)
    }
}
