internal import Glibc

/// From a module's name to its file.
///
/// A name is looked for as `lib<name>.so`, in this order: the config's `plugin-path`, `MEDIAHOST_PLUGIN_PATH`
/// (colon-separated), beside the executable, in the installed tree's `lib/mediahost/plugins`, in the user's. A module with a
/// slash in it is a path.
public struct PluginSearch: Sendable, Equatable {
    /// Why a directory is searched.
    public enum Origin: String, Sendable, Equatable {
        case configuration = "plugin-path"
        case environment = "MEDIAHOST_PLUGIN_PATH"
        case executable = "beside the executable"
        case installation = "installed"
        case user = "the user's"
    }

    public struct Place: Sendable, Equatable {
        public var path: String
        public var origin: Origin
    }

    public var places: [Place]

    public var directories: [String] { places.map(\.path) }

    /// As if the environment had named them.
    public init(directories: [String]) {
        places = directories.map { Place(path: $0, origin: .environment) }
    }

    /// What this process searches, without a config.
    public init(environment: [String: String]) {
        places = (environment[Origin.environment.rawValue] ?? "").split(separator: ":").map {
            Place(path: String($0), origin: .environment)
        }
        if let beside = Self.executableDirectory() {
            places.append(Place(path: beside, origin: .executable))
            places.append(Place(path: Self.installed(beside), origin: .installation))
        }
        if let home = environment["HOME"], home.utf8.first == UInt8(ascii: "/") {
            places.append(Place(path: "\(home)/.local/lib/mediahost/plugins", origin: .user))
        }
    }

    /// The same with a config's directories first.
    public func adding(_ configured: [String]) -> PluginSearch {
        var search = self
        search.places = configured.map { Place(path: $0, origin: .configuration) } + places
        return search
    }

    /// The file of a plugin.
    func file(of plugin: PluginDescription) throws(PluginFailure) -> String {
        try adding(plugin.searchPath).file(of: plugin.module)
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
        let looked = places.map { "\($0.path) (\($0.origin.rawValue))" }.joined(separator: ", ")
        throw PluginFailure(
            "no plugin \"\(module)\": there is no lib\(module).so in \(looked.isEmpty ? "any directory" : looked)",
            help: hint
                ?? (known.isEmpty
                    ? "name its directory in plugin-path or MEDIAHOST_PLUGIN_PATH"
                    : "found there: \(known.joined(separator: ", "))"))
    }

    /// The names of all modules found.
    public func modules() -> [String] {
        var names: Set<String> = []
        for place in places {
            for name in Self.modules(in: place.path) {
                // Beside an executable lies more than plugins.
                if place.origin == .executable, !LibraryFile.isPlugin("\(place.path)/lib\(name).so") { continue }
                names.insert(name)
            }
        }
        return names.sorted()
    }

    private static func modules(in directory: String) -> [String] {
        guard let handle = opendir(directory) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let file = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if file.utf8.starts(with: "lib".utf8), file.utf8.suffix(3).elementsEqual(".so".utf8), file.utf8.count > 6 {
                names.append(String(file.dropFirst(3).dropLast(3)))
            }
        }
        return names
    }

    /// `lib/mediahost/plugins` beside the directory `bin`.
    private static func installed(_ binaries: String) -> String {
        let root = binaries.lastIndex(of: "/").map { binaries[..<$0] } ?? ""
        return "\(root)/lib/mediahost/plugins"
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
