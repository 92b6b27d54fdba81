internal import Glibc

/// mediahost's plugins: where they are looked for, and whether each loads.
public struct PluginProbe: Sendable {
    public struct Module: Sendable {
        public var name: String
        public var file: String
        /// "org.mediahost.replay 0.1.0", or why it does not load.
        public var loaded: Result<String, PluginFailure>

        public init(name: String, file: String, loaded: Result<String, PluginFailure>) {
            self.name = name
            self.file = file
            self.loaded = loaded
        }
    }

    public struct Directory: Sendable, Equatable {
        public var path: String
        public var exists: Bool
        /// Named by `MEDIAHOST_PLUGIN_PATH`.
        public var isAskedFor: Bool

        public init(path: String, exists: Bool, isAskedFor: Bool) {
            self.path = path
            self.exists = exists
            self.isAskedFor = isAskedFor
        }
    }

    public var directories: [Directory]
    public var modules: [Module]

    static let topic = "plugins"

    public init(directories: [Directory], modules: [Module]) {
        self.directories = directories
        self.modules = modules
    }

    /// Maps every plugin that is found into this process.
    @HostActor
    static func gather(_ environment: [String: String]) -> PluginProbe {
        let search = PluginSearch(environment: environment)
        let asked = Set((environment["MEDIAHOST_PLUGIN_PATH"] ?? "").split(separator: ":").map(String.init))
        let directories = search.directories.map {
            Directory(path: $0, exists: access($0, R_OK | X_OK) == 0, isAskedFor: asked.contains($0))
        }
        let modules = search.modules().map { name in
            var file = "lib\(name).so"
            let loaded = Result { () throws(PluginFailure) in
                file = try search.file(of: name)
                let descriptors = try PluginLibrary(path: file).descriptors
                return descriptors.map { "\($0.id) \($0.version)" }.joined(separator: ", ")
            }
            return Module(name: name, file: file, loaded: loaded)
        }
        return PluginProbe(directories: directories, modules: modules)
    }

    public func judge() -> [Finding] {
        var found = directories.filter { $0.isAskedFor && !$0.exists }.map {
            Finding(
                Self.topic, .warning, "MEDIAHOST_PLUGIN_PATH names \($0.path), which cannot be read",
                fix: "make the directory readable, or take it out of MEDIAHOST_PLUGIN_PATH")
        }
        for module in modules {
            switch module.loaded {
            case .success(let text): found.append(Finding(Self.topic, .ok, "\(module.name): \(text) (\(module.file))"))
            case .failure(let failure):
                // What lies beside the executable need not be meant as a plugin.
                let isMeant = directories.contains { $0.isAskedFor && module.file == "\($0.path)/lib\(module.name).so" }
                found.append(Finding(Self.topic, isMeant ? .error : .warning, failure.message, fix: failure.help))
            }
        }
        guard modules.isEmpty else { return found }
        let places = directories.filter(\.exists).map(\.path)
        let text = "none found in " + (places.isEmpty ? "any directory" : places.joined(separator: ", "))
        return found + [
            Finding(
                Self.topic, .ok, text, fix: "name their directory in MEDIAHOST_PLUGIN_PATH, where there should be some")
        ]
    }
}
