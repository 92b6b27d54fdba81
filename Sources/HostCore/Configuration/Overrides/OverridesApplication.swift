internal import GStreamerKit

/// Puts what was saved over a configuration. What does not fit it any more is named and left out: a setting that was
/// saved never keeps a host from starting.
///
/// - Thread: any; asks the catalog, so not the control thread.
struct OverridesApplication {
    private(set) var configuration: HostConfiguration
    /// Warnings only.
    private(set) var problems = Problems()
    private let catalog: (any ElementCatalog)?
    private let path: String

    /// - Parameter path: of the overrides file, for help texts.
    init(_ configuration: HostConfiguration, path: String, catalog: (any ElementCatalog)?) {
        self.configuration = configuration
        self.path = path
        self.catalog = catalog
    }

    /// Reads the file that the configuration names and applies it.
    /// - Returns: the file, where there is one.
    static func apply(
        to configuration: inout HostConfiguration, catalog: (any ElementCatalog)?, _ problems: inout Problems
    ) -> SourceFile? {
        guard let path = configuration.overridesFile else { return nil }
        let file: SourceFile
        do throws(PluginFailure) {
            guard let found = try OverridesFile.open(path) else { return nil }
            file = found
        } catch {
            problems.warning(at: nil, "\(error.message): saved settings are not in force")
            return nil
        }
        var found = Problems()
        let tree = ConfigurationText.read(file, into: &found)
        if found.hasErrors {
            for problem in found.diagnostics {
                problems.warning(
                    at: problem.span, "\(problem.message): saved settings are not in force",
                    help: problem.help ?? "mend \(path), or remove it")
            }
            return file
        }
        guard let tree else { return file }
        var application = OverridesApplication(configuration, path: path, catalog: catalog)
        application.apply(tree)
        configuration = application.configuration
        problems.merge(application.problems)
        return file
    }

    mutating func apply(_ tree: YAMLNode) {
        guard let entries = tree.entries else {
            problems.warning(
                at: tree.span, "the overrides must be a map, not \(tree.kind): saved settings are not in force",
                help: "mend \(path), or remove it")
            return
        }
        if let version = entries.first(where: { $0.key == "mediahost" })?.value {
            var found = Problems()
            guard ConfigurationFields.checkVersion(version, &found) else {
                let reason = found.diagnostics.first
                problems.warning(
                    at: version.span, "\(reason?.message ?? "wrong version"): saved settings are not in force",
                    help: reason?.help)
                return
            }
        }
        for entry in entries where !entry.value.isNull {
            switch entry.key {
            case "mediahost": continue
            case "pipelines": named(entry) { $0.apply(pipeline: $1) }
            case "plugins": named(entry) { $0.apply(plugin: $1) }
            default: leaveOut(entry, "\(quoted(entry.key)) cannot be saved", help: "pipelines and plugins can")
            }
        }
    }

    private mutating func named(_ section: YAMLEntry, _ each: (inout OverridesApplication, YAMLEntry) -> Void) {
        guard let entries = section.value.entries else {
            return leaveOut(section, "\(quoted(section.key)) must be a map, not \(section.value.kind)")
        }
        for entry in entries where !entry.value.isNull { each(&self, entry) }
    }

    // MARK: - Properties

    private mutating func apply(pipeline entry: YAMLEntry) {
        let name = entry.key
        guard let index = configuration.pipelines.firstIndex(where: { $0.name == name }) else {
            return leaveOut(entry, "there is no pipeline \(quoted(name))")
        }
        guard let keys = entry.value.entries else {
            return leaveOut(entry, "pipeline \(quoted(name)) must be a map, not \(entry.value.kind)")
        }
        for key in keys {
            guard key.key == "properties", let properties = key.value.entries else {
                leaveOut(key, "\(quoted(key.key)) of pipeline \(quoted(name)) cannot be saved", help: "properties can")
                continue
            }
            for property in properties {
                guard let setting = setting(property, of: configuration.pipelines[index]) else { continue }
                configuration.keep(setting, of: name, key: property)
            }
        }
    }

    /// A property that may be set, and a value that it takes.
    private mutating func setting(_ entry: YAMLEntry, of pipeline: PipelineDescription) -> PropertySetting? {
        let subject = "\(quoted(entry.key)) of pipeline \(quoted(pipeline.name))"
        guard let path = try? PropertyPath(entry.key), let text = entry.value.text?.string, !entry.value.isNull else {
            leaveOut(entry, "\(subject) must be element.property with a value")
            return nil
        }
        guard let element = pipeline.launch.named().elements.first(where: { $0.name == path.element }) else {
            leaveOut(entry, "no element named \(quoted(path.element)) in pipeline \(quoted(pipeline.name))")
            return nil
        }
        guard pipeline.settable.contains(path) else {
            leaveOut(entry, "\(subject) may not be set: its `settable:` does not list it")
            return nil
        }
        if let catalog, let known = catalog.property(path.property, of: element.factory) {
            let verdict = PropertyText.verdict(on: text, for: known, of: element.factory, catalog: catalog)
            // A number that is out of range is set to the nearest, as when it was saved.
            let isRead = catalog.verdict(on: text, for: path.property, of: element.factory) != .unreadable
            guard verdict == .taken || isRead else {
                let problem = PropertyText.problem(with: text, as: known.kind, verdict)
                leaveOut(entry, "\(subject) \(problem.message)", help: problem.help)
                return nil
            }
        }
        return PropertySetting(path, to: text, span: entry.value.span)
    }

    // MARK: - Plugins

    /// Whether its schema takes the keys is seen when its library is open.
    private mutating func apply(plugin entry: YAMLEntry) {
        guard let index = configuration.plugins.firstIndex(where: { $0.name == entry.key }) else {
            return leaveOut(entry, "there is no plugin \(quoted(entry.key))")
        }
        guard let keys = entry.value.entries else {
            return leaveOut(entry, "plugin \(quoted(entry.key)) must be a map, not \(entry.value.kind)")
        }
        for key in keys where !key.value.isNull {
            if key.key == ConfigurationFields.pluginIsEnabled {
                var found = Problems()
                guard let isEnabled = key.value.flag(for: key.key, &found) else {
                    leaveOut(key, "\(quoted(key.key)) of plugin \(quoted(entry.key)) is true or false")
                    continue
                }
                configuration.keep(isEnabled: isEnabled, of: entry.key, key: key)
                continue
            }
            guard !ConfigurationFields.plugin.contains(where: { $0.key == key.key }) else {
                leaveOut(key, "\(quoted(key.key)) of plugin \(quoted(entry.key)) cannot be saved")
                continue
            }
            configuration.plugins[index].overlay(key)
        }
    }

    private mutating func leaveOut(_ entry: YAMLEntry, _ message: String, help: String? = nil) {
        problems.warning(
            at: entry.keySpan, "\(message): this saved setting is left out",
            help: help ?? "`mediahost config reset` takes saved settings away")
    }
}

extension HostConfiguration {
    /// Has a property hold from the next build on, and says so where the configuration is shown.
    /// - Parameter key: as the overrides file has it; where it was set just now, it has no place there.
    mutating func keep(_ setting: PropertySetting, of pipeline: String, key: YAMLEntry) {
        guard let index = pipelines.firstIndex(where: { $0.name == pipeline }) else { return }
        pipelines[index].keep(setting)
        show(key, at: ["pipelines", pipeline, "properties"])
    }

    /// Has a plugin begin with the host from the next start on, or not, and says so where the configuration is shown.
    mutating func keep(isEnabled: Bool, of plugin: String, key: YAMLEntry) {
        guard let index = plugins.firstIndex(where: { $0.name == plugin }) else { return }
        plugins[index].isEnabled = isEnabled
        show(key, at: ["plugins", plugin])
    }

    private mutating func show(_ key: YAMLEntry, at path: [String]) {
        var node = YAMLNode(.map([key]), span: key.value.span)
        for name in path.reversed() {
            node = YAMLNode(.map([YAMLEntry(key: name, keySpan: key.keySpan, value: node)]), span: key.value.span)
        }
        tree = tree?.merged(with: node, levels: YAMLReader.deepest)
    }
}

extension PipelineDescription {
    /// In its place where the property has one already: two lists of the same settings are equal, whatever came first.
    mutating func keep(_ setting: PropertySetting) {
        if let index = properties.firstIndex(where: { $0.path == setting.path }) {
            properties[index] = setting
        } else {
            properties.append(setting)
        }
    }
}

extension PluginDescription {
    /// One more key that wins over the config; maps are merged.
    mutating func overlay(_ key: YAMLEntry) {
        let all = YAMLNode(.map(overrides), span: key.value.span)
            .merged(with: YAMLNode(.map([key]), span: key.value.span), levels: YAMLReader.deepest)
        overrides = all.entries ?? []
    }

    /// The config with all of that.
    var effectiveConfig: YAMLNode { overrides.reduce(config) { Self.merged($0, $1) } }

    static func merged(_ config: YAMLNode, _ key: YAMLEntry) -> YAMLNode {
        var result = config.merged(with: YAMLNode(.map([key]), span: config.span), levels: YAMLReader.deepest)
        // Where a key is missing it is the config's fault.
        result.span = config.span
        return result
    }
}
