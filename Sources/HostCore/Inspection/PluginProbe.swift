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

    /// Tries what is not known in a process of its own, never in this one.
    static func gather(_ gate: PluginGate) -> PluginProbe {
        let directories = gate.search.places.map {
            Directory(
                path: $0.path, exists: access($0.path, R_OK | X_OK) == 0, isAskedFor: $0.origin == .environment)
        }
        let modules = PluginInventory.gather(gate).modules.map { module in
            let names = module.facts?.descriptors.map { "\($0.id) \($0.version)" }.joined(separator: ", ")
            let text = names ?? "could not be probed"
            return Module(
                name: module.name, file: module.file, loaded: module.failure.map { .failure($0) } ?? .success(text))
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
