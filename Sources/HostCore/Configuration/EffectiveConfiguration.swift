/// A configuration as it holds: what the file says with its variables and templates put in, and the defaults of what it does
/// not say.
///
/// - Thread: any. Pure.
struct EffectiveConfiguration {
    /// These were used up while the file was read.
    private static let done = ["include", "vars", "templates"]
    /// Maps that hold with all their defaults where the file does not have them.
    private static let whole = ["control", "login", "outputs", "background"]

    /// What a plugin's own keys are now, secrets hidden, by the instance's name; nil where nobody knows what they mean.
    let plugin: (String) -> Value?

    /// Its secrets are still to be masked.
    func value(of configuration: HostConfiguration) -> Value {
        map(
            configuration.tree, ConfigurationFields.file.descriptions.filter { !Self.done.contains($0.key) },
            isOpen: false)
    }

    private func map(_ node: YAMLNode?, _ fields: [FieldDescription], isOpen: Bool) -> Value {
        var members: [Value.Member] = []
        for field in fields {
            if let written = node?[field.key], !written.isNull {
                members.append(
                    .init(
                        field.key, field.key == "plugins" ? plugins(written, field.kind) : value(written, field.kind)))
            } else if let text = field.defaultText, let node = Self.parse(text) {
                members.append(.init(field.key, value(node, field.kind)))
            } else if Self.whole.contains(field.key), let fields = Self.fields(of: field.kind) {
                members.append(.init(field.key, map(nil, fields, isOpen: false)))
            }
        }
        return .map(members)
    }

    /// What is not the host's own belongs to the plugin, whose schema alone knows which of it is a secret.
    private func plugins(_ node: YAMLNode, _ kind: FieldKind) -> Value {
        guard case .named(_, .map(let fields, _)) = kind, let entries = node.entries else { return .map([]) }
        return .map(
            entries.map { entry in
                var members = map(entry.value, fields, isOpen: true).members ?? []
                let own = (entry.value.entries ?? []).filter { entry in !fields.contains { $0.key == entry.key } }
                members += plugin(entry.key)?.members ?? own.map { .init($0.key, "***") }
                return .init(entry.key, .map(members))
            })
    }

    private func value(_ node: YAMLNode, _ kind: FieldKind) -> Value {
        switch (kind, node.content) {
        case (_, .scalar(let text, _)): return Self.scalar(text.string, kind, isNull: node.isNull)
        case (.list(let item), .list(let items)): return .list(items.map { value($0, item) })
        case (.named(_, let inner), .map(let entries)):
            return .map(entries.map { .init($0.key, value($0.value, inner)) })
        case (.map(let fields, let isOpen), .map): return map(node, fields, isOpen: isOpen)
        case (.oneOf(let kinds), .list), (.oneOf(let kinds), .map):
            let fitting = kinds.first { Self.takes($0, node) }
            return value(node, fitting ?? .scalar)
        case (_, .list(let items)): return .list(items.map { value($0, .scalar) })
        case (_, .map(let entries)): return .map(entries.map { .init($0.key, value($0.value, .scalar)) })
        }
    }

    private static func scalar(_ text: String, _ kind: FieldKind, isNull: Bool) -> Value {
        if isNull { return .null }
        switch kind {
        case .flag: return text == "true" ? true : text == "false" ? false : .string(text)
        case .integer: return Int64(text).map { .int($0) } ?? .string(text)
        case .number: return Double(text).map { .double($0) } ?? .string(text)
        default: return .string(text)
        }
    }

    private static func takes(_ kind: FieldKind, _ node: YAMLNode) -> Bool {
        switch (kind, node.content) {
        case (.list, .list), (.map, .map), (.named, .map): true
        default: false
        }
    }

    private static func fields(of kind: FieldKind) -> [FieldDescription]? {
        switch kind {
        case .map(let fields, _): fields
        case .oneOf(let kinds): kinds.lazy.compactMap(fields).first
        default: nil
        }
    }

    private static func parse(_ text: String) -> YAMLNode? {
        var problems = Problems()
        return YAMLReader.read(SourceFile(path: "default", text: text), into: &problems)
    }
}
