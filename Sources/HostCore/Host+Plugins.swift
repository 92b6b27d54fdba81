internal import PluginABI

/// The host's config and its plugins as the control API sees them.
extension Host {
    public func showConfiguration() -> Value {
        let effective = EffectiveConfiguration { [plugins] name in plugins[name]?.shownConfig }
        return [
            "files": .list(configuration.files.map { .string($0) }),
            "config": effective.value(of: configuration),
        ]
    }

    public func listPlugins() -> Value {
        ["plugins": .list(configuration.plugins.map { .map(overview(of: $0)) })]
    }

    public func showPlugin(_ name: String) throws(ControlError) -> Value {
        guard let description = configuration.plugins.first(where: { $0.name == name }) else {
            throw unknownPlugin(name, among: configuration.plugins.map(\.name))
        }
        var members = overview(of: description)
        if let instance = plugins[name] {
            members += [
                .init("schema", Self.schema(instance.descriptor.configSchema)), .init("config", instance.shownConfig),
                .init(
                    "commands",
                    .map(instance.commands.map { .init($0.name, ["summary": .string($0.summary)]) })),
                .init(
                    "routes",
                    .list(
                        instance.routes.map { route in
                            [
                                "method": .string(route.method.rawValue), "path": .string(route.path),
                                "summary": .string(route.summary),
                            ]
                        })),
                .init("counters", instance.counters), .init("metrics", instance.context.metrics.value),
            ]
        }
        return .map(members)
    }

    func unknownPlugin(_ name: String, among names: [String]) -> ControlError {
        let hint = Suggestion.nearest(to: name, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
        let list = names.isEmpty ? "none runs" : "there are \(names.joined(separator: ", "))"
        return ControlError(.notFound, "there is no plugin \"\(name)\"\(hint) (\(list))", field: "instance")
    }

    private func state(ofAbsent name: String) -> String {
        if disabledPlugins.contains(name) { return "disabled" }
        return plugins.failures[name] == nil ? "stopped" : "failed"
    }

    private func overview(of description: PluginDescription) -> [Value.Member] {
        let name = description.name
        let instance = plugins[name]
        let failure = plugins.failures[name]
        var members: [Value.Member] = [
            .init("name", .string(name)), .init("module", .string(description.module)),
            .init("state", .string(instance.map { "\($0.state)" } ?? state(ofAbsent: name))),
            .init("reason", failure.map { .string($0.message) } ?? .null),
            .init("policy", .string(description.policy.rawValue)),
            .init("restarts", .int(Int64(restarts.counts[name] ?? 0))),
        ]
        if let descriptor = instance?.descriptor {
            members += [
                .init("id", .string(descriptor.id)), .init("version", .string(descriptor.version)),
                .init("summary", .string(descriptor.summary)),
            ]
        }
        return members
    }
}

extension PluginInstance {
    /// The config in force as a user would write it, secrets hidden.
    var shownConfig: Value {
        guard let schema = descriptor.configSchema, let known = try? ValueSchema(json: schema) else { return .map([]) }
        return known.rule.shown(config)
    }
}

extension SchemaRule {
    /// A value as a user would write it; texts that are secrets are not shown.
    func shown(_ value: Value) -> Value {
        switch (kind, format, value) {
        case (_, _, .null): .null
        case (_, .secret, _): "***"
        case (_, .duration, _), (_, .size, _): .string(text(value))
        case (.object(let properties), _, .map(let members)):
            .map(
                members.map { member in
                    let rule = properties.first { $0.key == member.key }?.rule
                    return .init(member.key, rule?.shown(member.value) ?? "***")
                })
        case (.array(let item), _, .list(let items)): .list(items.map { item.shown($0) })
        default: value
        }
    }
}
