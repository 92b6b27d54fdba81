/// A plugin's config with what was set at run time.
extension ValueSchema {
    /// Keys that do not fit any more, or never may be set, are named and left out; nothing else of them is an error.
    func resolve(_ description: PluginDescription, names: KnownNames?) -> (Value?, [Diagnostic]) {
        var config = description.config
        var warnings: [Diagnostic] = []
        for key in description.overrides {
            let trial = PluginDescription.merged(config, key)
            let file = key.keySpan.file
            let problem = refusal(of: key) ?? resolve(trial, names: names).1.first { $0.span?.file === file }
            guard let problem else {
                config = trial
                continue
            }
            warnings.append(
                Diagnostic(
                    .warning, at: problem.span ?? key.keySpan,
                    "plugin \(description.name): \(problem.message): this saved setting is left out",
                    help: problem.help, suggestion: problem.suggestion))
        }
        let (value, problems) = resolve(config, names: names)
        return (value, warnings + problems)
    }

    /// What opens files, devices and URIs, and what nobody may see, is said by the config alone.
    /// - Returns: why a key may not be set at run time; nil where it may.
    func refusal(of key: YAMLEntry) -> Diagnostic? {
        guard case .object(let properties) = rule.kind,
            let property = properties.first(where: { $0.key == key.key })
        else { return nil }
        return Self.refusal(of: key.value, at: key.keySpan, key.key, property.rule)
    }

    private static func refusal(
        of node: YAMLNode, at place: SourceSpan, _ path: String, _ rule: SchemaRule
    ) -> Diagnostic? {
        if rule.reservesMemory {
            return Diagnostic(.error, at: place, "\(quoted(path)) reserves memory: only the config may say it")
        }
        switch (rule.format, rule.kind) {
        case (.path, _):
            return Diagnostic(.error, at: place, "\(quoted(path)) names a file: only the config may say it")
        case (.device, _):
            return Diagnostic(.error, at: place, "\(quoted(path)) names a device: only the config may say it")
        case (.uri, _):
            return Diagnostic(.error, at: place, "\(quoted(path)) is a URI: only the config may say it")
        case (.secret, _):
            return Diagnostic(.error, at: place, "\(quoted(path)) is a secret: only the config may say it")
        case (_, .object(let properties)):
            return (node.entries ?? []).lazy.compactMap { entry in
                properties.first { $0.key == entry.key }.flatMap {
                    refusal(of: entry.value, at: entry.keySpan, "\(path).\(entry.key)", $0.rule)
                }
            }.first
        case (_, .array(let item)):
            return (node.items ?? []).lazy.compactMap { refusal(of: $0, at: $0.span, path, item) }.first
        default: return nil
        }
    }
}

extension ValueSchema {
    /// The value, for who set a key just now.
    /// - Throws: the first thing that does not fit.
    func checked(_ node: YAMLNode, names: KnownNames?) throws(ValueSchemaError) -> Value {
        var resolver = SchemaResolver(names: names)
        if let value = resolver.resolve(SchemaInput(node), rule, path: "") { return value }
        let first = resolver.problems.diagnostics.first
        throw ValueSchemaError(
            message: first?.message ?? "the value does not fit", help: first?.help, suggestion: first?.suggestion,
            field: resolver.firstPath)
    }
}
