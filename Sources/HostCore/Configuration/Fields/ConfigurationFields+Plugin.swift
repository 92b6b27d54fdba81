/// The keys of one plugin: `module`, and those of the plugin's own schema.
extension ConfigurationFields {
    static let plugin = [
        FieldDescription(
            key: "module", summary: "the plugin to load, by name or by path", kind: .text, example: "ReplayBuffer",
            isRequired: true)
    ]

    static func describePlugin(_ entry: YAMLEntry, _ problems: inout Problems) -> PluginDescription? {
        guard let entries = entry.value.entries else {
            problems.error(
                at: entry.value.isNull ? entry.keySpan : entry.value.span,
                "plugin \(quoted(entry.key)) must be a map, not \(entry.value.kind)",
                help: "module: the plugin to load")
            return nil
        }
        guard let module = entries.first(where: { $0.key == "module" }) else {
            let nearest = entries.first { Suggestion.nearest(to: $0.key, among: ["module"]) != nil }
            problems.error(
                at: nearest?.keySpan ?? entry.keySpan, "plugin \(quoted(entry.key)) has no \"module\"",
                help: "module: the plugin to load", suggestion: nearest == nil ? nil : "module")
            return nil
        }
        guard let name = module.value.text(for: "module", &problems) else { return nil }
        var config = entry.value
        config.content = .map(entries.filter { $0.key != "module" })
        return PluginDescription(
            name: entry.key, module: name, config: config, location: module.value.span, keySpan: entry.keySpan)
    }
}
