internal import Glibc

/// From a module's name to its file.
///
/// A name is looked for as `lib<name>.so` in `MEDIAHOST_PLUGIN_PATH` (colon-separated), beside the executable, and in the
/// installed tree's `lib/mediahost/plugins`. A module with a slash in it is a path.
public struct PluginSearch: Sendable, Equatable {
    public var directories: [String]

    public init(directories: [String]) { self.directories = directories }

    /// What this process searches.
    public init(environment: [String: String]) {
        var found = (environment["MEDIAHOST_PLUGIN_PATH"] ?? "").split(separator: ":").map(String.init)
        if let beside = Self.executableDirectory() {
            found.append(beside)
            found.append(beside + "/../lib/mediahost/plugins")
        }
        directories = found
    }

    /// The file of a module.
    public func file(of module: String) throws(PluginFailure) -> String {
        if module.utf8.contains(UInt8(ascii: "/")) {
            guard access(module, R_OK) == 0 else {
                throw PluginFailure("cannot read plugin \(module): \(String(cString: strerror(errno)))")
            }
            return module
        }
        for directory in directories {
            let path = "\(directory)/lib\(module).so"
            if access(path, R_OK) == 0 { return path }
        }
        let known = modules()
        let hint = Suggestion.nearest(to: module, among: known).map { "did you mean \"\($0)\"?" }
        let places = directories.isEmpty ? "nowhere" : directories.joined(separator: ", ")
        throw PluginFailure(
            "no plugin \"\(module)\": there is no lib\(module).so in \(places)",
            help: hint
                ?? (known.isEmpty ? "set MEDIAHOST_PLUGIN_PATH" : "found there: \(known.joined(separator: ", "))"))
    }

    /// The names of all modules found.
    public func modules() -> [String] {
        var names: Set<String> = []
        for directory in directories {
            guard let handle = opendir(directory) else { continue }
            defer { closedir(handle) }
            while let entry = readdir(handle) {
                let file = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if file.hasPrefix("lib"), file.hasSuffix(".so") { names.insert(String(file.dropFirst(3).dropLast(3))) }
            }
        }
        // The Swift runtime lies beside an executable of a build tree, too.
        return names.filter { !$0.hasPrefix("swift") }.sorted()
    }

    private static func executableDirectory() -> String? {
        var buffer = [CChar](repeating: 0, count: 4097)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard length > 0 else { return nil }
        let path = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let slash = path.lastIndex(of: "/") else { return nil }
        return String(path[..<slash])
    }
}
