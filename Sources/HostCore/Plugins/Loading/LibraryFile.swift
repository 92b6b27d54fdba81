internal import Glibc

/// Everything that a library's file says before any of its code runs.
enum LibraryFile {
    static let entrySymbol = "mh_plugin_entry_1"

    /// Checks that a file is a plugin for this machine, as far as that can be read.
    /// - Thread: worker.
    /// - Returns: the libraries it needs.
    @discardableResult
    static func check(_ path: String) throws(PluginFailure) -> [String] {
        try ELFHeader.check(path)
        guard let file = FileBytes(path) else {
            throw PluginFailure("cannot read \(path): \(String(cString: strerror(errno)))")
        }
        do throws(ELFReader.Damage) {
            let reader = try ELFReader(file)
            if try reader.exportsFunction(entrySymbol) { return try reader.needed() }
        } catch {
            throw PluginFailure(
                "\(path) is a damaged shared library: \(error.message)", help: "copy or build it again")
        }
        throw PluginFailure(
            "\(path) is no mediahost plugin: it does not export \(entrySymbol)",
            help: "export it with MH_EXPORT (mediahost/plugin.h)")
    }

    /// Whether a file is a plugin at all: what lies in a directory need not be meant as one.
    static func isPlugin(_ path: String) -> Bool {
        guard let file = FileBytes(path), let reader = try? ELFReader(file) else { return false }
        return (try? reader.exportsFunction(entrySymbol)) ?? false
    }
}
