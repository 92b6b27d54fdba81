/// The keys of one plugin: the host's own, and those of the plugin's own schema.
extension ConfigurationFields {
    /// What the host reads of a plugin's map.
    struct PluginDraft {
        var module: (name: String, span: SourceSpan)?
        var policy = PluginPolicy.disable
        var isEnabled = true
    }

    /// The one of the host's own keys that may be saved.
    static let pluginIsEnabled = "enabled"

    static let pluginKeys = FieldTable<PluginDraft>(fields: [
        Field(
            "module", "the plugin to load, by name or by path", .text, example: "ReplayBuffer", isRequired: true
        ) { node, draft, problems in
            if let name = node.text(for: "module", &problems) { draft.module = (name, node.span) }
        },
        .choice(
            "policy",
            "what happens when it fails while it runs: it stays away, comes back as a pipeline does, or the host ends",
            default: "disable", \.policy),
        .flag(
            pluginIsEnabled, "whether it begins with the host; one that does not begins when somebody enables it",
            default: "true", \.isEnabled),
    ])

    static var plugin: [FieldDescription] { pluginKeys.descriptions }

    /// Where the config's plugins are looked for; a relative directory begins at the file that names it.
    static func searchPath(_ node: YAMLNode, _ problems: inout Problems) -> [String] {
        guard let items = node.items ?? (node.text == nil ? nil : [node]) else {
            problems.error(
                at: node.span, "\"plugin-path\" must be a directory or a list of directories, not \(node.kind)")
            return []
        }
        return items.compactMap { item in
            guard let path = item.text(for: "plugin-path", &problems) else { return nil }
            return TextFile.resolve(path, beside: item.span.file.path)
        }
    }

    static func describePlugin(_ entry: YAMLEntry, _ problems: inout Problems) -> PluginDescription? {
        guard let entries = entry.value.entries else {
            problems.error(
                at: entry.value.isNull ? entry.keySpan : entry.value.span,
                "plugin \(quoted(entry.key)) must be a map, not \(entry.value.kind)",
                help: "module: the plugin to load")
            return nil
        }
        guard entries.contains(where: { $0.key == "module" }) else {
            let nearest = entries.first { Suggestion.nearest(to: $0.key, among: ["module"]) != nil }
            problems.error(
                at: nearest?.keySpan ?? entry.keySpan, "plugin \(quoted(entry.key)) has no \"module\"",
                help: "module: the plugin to load", suggestion: nearest == nil ? nil : "module")
            return nil
        }
        let own = Set(plugin.map(\.key))
        var draft = PluginDraft()
        var host = entry.value
        host.content = .map(entries.filter { own.contains($0.key) })
        pluginKeys.decode(
            host, subject: "plugin \(quoted(entry.key))", place: entry.keySpan, into: &draft, problems: &problems)
        guard let module = draft.module else { return nil }
        var config = entry.value
        config.content = .map(entries.filter { !own.contains($0.key) })
        var description = PluginDescription(
            name: entry.key, module: module.name, policy: draft.policy, config: config, location: module.span,
            keySpan: entry.keySpan)
        description.isEnabled = draft.isEnabled
        return description
    }
}
