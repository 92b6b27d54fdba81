internal import GStreamerKit

/// Settings that change while the host runs, and the file that keeps them.
extension Host {
    // MARK: - Properties

    public func set(
        _ path: String, of name: String, to value: String, saving: Bool
    ) async throws(ControlError) -> Value {
        let property = try parse(path)
        let pipeline = try find(name)
        let (now, turn) = try await pipeline.set(property, to: value)
        var members: [Value.Member] = [.init("property", .string(path)), .init("value", .string(now))]
        if saving { members += await keep(property, pipeline.sets.keep(value, turn, of: property), of: pipeline) }
        return .map(members)
    }

    private func keep(
        _ property: PropertyPath, _ kept: PropertySets.Kept, of pipeline: PipelineController
    ) async -> [Value.Member] {
        let name = pipeline.name
        return await save {
            $0.set(property, of: name, to: kept.text)
        } then: { [self] file in
            let entry = Self.entry(property.description, kept.text, .quoted, in: file)
            let setting = PropertySetting(property, to: kept.text, span: entry.keySpan)
            configuration.keep(setting, of: name, key: entry)
            pipeline.keep(setting, kept.turn)
        }
    }

    /// What was saved just now: it has no place in its file.
    private static func entry(
        _ key: String, _ text: String, _ style: YAMLNode.Style, in file: SourceFile
    ) -> YAMLEntry {
        var source = SourceText(file: file, whole: 0..<0)
        source.append(Array(text.utf8), standingAt: 0..<0)
        let span = SourceSpan(file: file, range: 0..<0)
        return YAMLEntry(key: key, keySpan: span, value: YAMLNode(.scalar(source, style), span: span))
    }

    // MARK: - Plugins

    public func configure(
        plugin name: String, _ changes: Value, saving: Bool
    ) async throws(ControlError) -> Value {
        guard let index = configuration.plugins.firstIndex(where: { $0.name == name }) else {
            throw unknownPlugin(name, among: configuration.plugins.map(\.name))
        }
        guard let instance = plugins[name] else { throw ControlError(.state, "plugin \(name) does not run") }
        // It may be replaced in a moment.
        guard !reloader.isBusy else { throw ControlError(.busy, "the config is being reloaded: try again") }
        var description = configuration.plugins[index]
        for entry in try Self.entries(changes) { description.overlay(entry) }
        let config = try resolve(description, changes, of: instance)
        try apply(config, to: instance)
        configuration.plugins[index] = description
        events.post("plugin.configured", source: name, secrets.mask(["config": instance.shownConfig]))
        var members: [Value.Member] = [.init("plugin", .string(name)), .init("config", instance.shownConfig)]
        if saving { members += await save { $0.set(changes, of: name) } }
        return .map(members)
    }

    /// Everything of a plugin that was enabled or disabled, and whether that holds from the next start on, too.
    func showPlugin(_ name: String, savingIsEnabled isEnabled: Bool?) async throws(ControlError) -> Value {
        var saved: [Value.Member] = []
        if let isEnabled {
            saved = await save {
                $0.set(isEnabled: isEnabled, of: name)
            } then: { [self] file in
                let key = Self.entry(ConfigurationFields.pluginIsEnabled, "\(isEnabled)", .plain, in: file)
                configuration.keep(isEnabled: isEnabled, of: name, key: key)
            }
        }
        // The plugin has a reason of its own, where it has failed.
        let members = saved.map { Value.Member($0.key == "reason" ? "save_reason" : $0.key, $0.value) }
        return try .map((showPlugin(name).members ?? []) + members)
    }

    /// As if it stood in a file.
    private static func entries(_ changes: Value) throws(ControlError) -> [YAMLEntry] {
        var problems = Problems()
        let file = SourceFile(path: "request", text: JSONText.render(changes))
        guard let entries = JSONReader.read(file, into: &problems)?.entries, !problems.hasErrors, !entries.isEmpty
        else {
            throw ControlError(
                .invalid, problems.diagnostics.first?.message ?? "the body has no key of the plugin's config")
        }
        if let empty = entries.first(where: \.value.isNull) {
            throw ControlError(
                .invalid, "\(quoted(empty.key)) has no value: `mediahost config reset` takes a saved one away",
                field: empty.key)
        }
        return entries
    }

    private func resolve(
        _ description: PluginDescription, _ changes: Value, of instance: PluginInstance
    ) throws(ControlError) -> Value {
        guard let text = instance.descriptor.configSchema, let schema = try? ValueSchema(json: text) else {
            throw ControlError(.state, "plugin \(description.name) has no config")
        }
        for entry in try Self.entries(changes) {
            if let refusal = schema.refusal(of: entry) {
                throw ControlError(.denied, "plugin \(description.name): \(refusal.message)", field: entry.key)
            }
        }
        do throws(ValueSchemaError) {
            return try schema.checked(description.effectiveConfig, names: configuration.knownNames)
        } catch {
            throw ControlError(.invalid, "plugin \(description.name): \(error.description)", field: error.field)
        }
    }

    private func apply(_ config: Value, to instance: PluginInstance) throws(ControlError) {
        let before = instance.config
        guard config != before else { return }
        let remedy = "change the config file, and `mediahost reload`"
        guard instance.isLiveConfigurable else {
            throw ControlError(.state, "plugin \(instance.name) takes no new config while it runs: \(remedy)")
        }
        switch instance.validate(config) {
        case .good: break
        case .needsNewInstance:
            throw ControlError(.state, "plugin \(instance.name) takes this config only when it begins: \(remedy)")
        case .bad(let refusals): throw Self.error(refusals, instance.name)
        }
        let refusals = instance.apply(config)
        guard !refusals.isEmpty else { return }
        let error = Self.error(refusals, instance.name)
        // It had agreed. What it holds now is not known, unless it takes the old one back.
        if !instance.apply(before).isEmpty { instanceFailed(instance, PluginFailure(error.message)) }
        throw error
    }

    private static func error(_ refusals: [ConfigRefusal], _ name: String) -> ControlError {
        let text = refusals.map { refusal in
            let key =
                refusal.key.isEmpty || refusal.text.hasPrefix(quoted(refusal.key)) ? "" : "\(quoted(refusal.key)): "
            return key + refusal.text
        }.joined(separator: "; ")
        return ControlError(
            .invalid, "plugin \(name) does not take it: \(text)",
            field: refusals.first.flatMap { $0.key.isEmpty ? nil : $0.key })
    }

    // MARK: - The file

    public func showOverrides() async throws(ControlError) -> Value {
        guard let path = configuration.overridesFile else { return ["file": .null, "settings": []] }
        do throws(PluginFailure) {
            let document = try await overrides.run { () throws(PluginFailure) -> OverridesDocument? in
                try OverridesFile.read(path)
            }
            let settings = document?.settings ?? []
            return [
                "file": .string(path),
                "settings": .list(settings.map { ["key": .string($0.key), "value": $0.value] }),
            ]
        } catch {
            throw ControlError(.state, error.description)
        }
    }

    public func resetOverrides(_ key: String?) async throws(ControlError) -> Value {
        let path = try requireOverridesFile()
        let removed: [String]
        do throws(PluginFailure) {
            removed = try await overrides.run { () throws(PluginFailure) -> [String] in
                guard let key else { return try Self.removeAll(path) }
                return try OverridesFile.change(path) { document in
                    let gone = document.remove(key).map(\.key)
                    return (gone, !gone.isEmpty)
                }
            }
        } catch {
            throw ControlError(.state, error.description)
        }
        if let key, removed.isEmpty {
            throw ControlError(
                .notFound, "no setting \(quoted(key)) is saved: `mediahost config overrides` lists them", field: "key")
        }
        let answer: Value = ["removed": .list(removed.map { .string($0) })]
        if !removed.isEmpty { events.post("config.reset", source: "host", answer) }
        return answer
    }

    /// Also where nobody can read what is in it.
    private nonisolated static func removeAll(_ path: String) throws(PluginFailure) -> [String] {
        let document = try? OverridesFile.read(path)
        try OverridesFile.remove(path)
        return document?.settings.map(\.key) ?? []
    }

    private func requireOverridesFile() throws(ControlError) -> String {
        guard let path = configuration.overridesFile else {
            throw ControlError(.state, "there is no place for saved settings: name a file with `overrides:`")
        }
        return path
    }

    /// Changes the file. What cannot be saved holds all the same, until the config is read again; the answer says so.
    /// - Parameter then: what makes it hold for good, in step with the file.
    private func save(
        _ change: @escaping @Sendable (inout OverridesDocument) -> Void, then: (SourceFile) -> Void = { _ in }
    ) async -> [Value.Member] {
        let reason: String
        if reloader.isBusy {
            reason = "the config is being reloaded: try again"
        } else {
            do throws(ControlError) {
                let path = try requireOverridesFile()
                do throws(PluginFailure) {
                    try await overrides.run { () throws(PluginFailure) -> Void in
                        try OverridesFile.change(path) { document in
                            let before = document
                            change(&document)
                            return ((), document != before)
                        }
                    } then: { _ in
                        then(SourceFile(path: path, bytes: []))
                    }
                    events.post("config.saved", source: "host", ["file": .string(path)])
                    return [.init("saved", true)]
                } catch {
                    reason = error.description
                }
            } catch {
                reason = error.message
            }
        }
        log.error("a setting holds, but was not saved: \(reason)")
        return [.init("saved", false), .init("reason", .string(reason))]
    }
}
