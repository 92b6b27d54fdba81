/// What the overrides file holds, in the order it was saved: what is kept, and how it is named to people.
///
/// A saved setting is `PIPELINE/ELEMENT.PROPERTY` or `PLUGIN.KEY`, with further keys of maps behind further dots.
/// - Thread: any. A value.
struct OverridesDocument: Sendable, Equatable {
    /// One setting, as `mediahost config overrides` shows it.
    struct Setting: Sendable, Equatable {
        var key: String
        var value: Value
        fileprivate var path: [String]
    }

    /// A map; what is not ours in it stays as it is.
    private(set) var root: Value

    init() { root = .map([]) }

    init(_ node: YAMLNode) { root = Self.value(of: node) }

    var isEmpty: Bool { settings.isEmpty }

    var text: String { OverridesText.render(root) }

    var settings: [Setting] {
        var found: [Setting] = []
        for pipeline in root["pipelines"]?.members ?? [] {
            for property in pipeline.value["properties"]?.members ?? [] {
                found.append(
                    Setting(
                        key: "\(pipeline.key)/\(property.key)", value: property.value,
                        path: ["pipelines", pipeline.key, "properties", property.key]))
            }
        }
        for plugin in root["plugins"]?.members ?? [] {
            Self.collect(plugin.value, key: plugin.key, path: ["plugins", plugin.key], into: &found)
        }
        return found
    }

    private static func collect(_ value: Value, key: String, path: [String], into found: inout [Setting]) {
        guard case .map(let members) = value, !members.isEmpty else {
            if path.count > 2 { found.append(Setting(key: key, value: value, path: path)) }
            return
        }
        for member in members {
            collect(member.value, key: "\(key).\(member.key)", path: path + [member.key], into: &found)
        }
    }

    mutating func set(_ property: PropertyPath, of pipeline: String, to text: String) {
        root.put(.string(text), at: ["pipelines", pipeline, "properties", property.description])
    }

    /// - Parameter changes: a map; maps in it are merged key by key.
    mutating func set(_ changes: Value, of plugin: String) { put(changes, at: ["plugins", plugin]) }

    mutating func set(isEnabled: Bool, of plugin: String) {
        root.put(.bool(isEnabled), at: ["plugins", plugin, ConfigurationFields.pluginIsEnabled])
    }

    private mutating func put(_ value: Value, at path: [String]) {
        guard case .map(let members) = value else { return root.put(value, at: path) }
        for member in members { put(member.value, at: path + [member.key]) }
    }

    /// Takes a setting away, or all that are below it: `porch`, `replay.inner`.
    /// - Returns: what went, none where nothing of that name is there.
    mutating func remove(_ key: String) -> [Setting] {
        let going = settings.filter {
            $0.key == key || $0.key.hasPrefix("\(key).") || $0.key.hasPrefix("\(key)/")
        }
        for setting in going { root.remove(setting.path[...]) }
        return going
    }

    private static func value(of node: YAMLNode) -> Value {
        switch node.content {
        case .map(let entries): .map(entries.map { .init($0.key, value(of: $0.value)) })
        case .list(let items): .list(items.map(value))
        case .scalar(let text, .quoted): .string(text.string)
        case .scalar(let text, .plain):
            if node.isNull {
                .null
            } else if text.string == "true" || text.string == "false" {
                .bool(text.string == "true")
            } else if let number = Int64(text.string), "\(number)" == text.string {
                .int(number)
            } else {
                .string(text.string)
            }
        }
    }
}

extension Value {
    /// Puts a value into maps within maps, which are made where there are none.
    fileprivate mutating func put(_ value: Value, at path: [String]) {
        guard let first = path.first else {
            self = value
            return
        }
        var members = self.members ?? []
        if let index = members.firstIndex(where: { $0.key == first }) {
            members[index].value.put(value, at: Array(path.dropFirst()))
        } else {
            var inner = Value.map([])
            inner.put(value, at: Array(path.dropFirst()))
            members.append(.init(first, inner))
        }
        self = .map(members)
    }

    /// Removes what a path leads to, and maps that are empty then.
    fileprivate mutating func remove(_ path: ArraySlice<String>) {
        guard let first = path.first, var members = self.members,
            let index = members.firstIndex(where: { $0.key == first })
        else { return }
        if path.count > 1 { members[index].value.remove(path.dropFirst()) }
        if path.count == 1 || members[index].value == .map([]) { members.remove(at: index) }
        self = .map(members)
    }
}
