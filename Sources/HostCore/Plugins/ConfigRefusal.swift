/// One thing that a plugin says against a config.
struct ConfigRefusal: Sendable, Equatable {
    /// `window`, `inner.gain`, `list[2]`; empty for all of it.
    var key: String
    /// What is wrong and how to mend it.
    var text: String

    /// As the user is told, at the key's place in the file, or at the plugin's where the key has its default.
    func diagnostic(of description: PluginDescription) -> Diagnostic {
        let written = key.isEmpty ? nil : description.effectiveConfig.written(at: key)
        let quoted = "\"\(key)\""
        let named = key.isEmpty || text.hasPrefix(quoted) ? "" : "\(quoted): "
        return Diagnostic(
            .error, at: written?.span ?? description.location,
            "plugin \(description.name) does not take its new config: \(named)\(text)")
    }
}

extension YAMLNode {
    /// What a path of keys and indexes leads to; nil where it is not written there.
    func written(at path: String) -> YAMLNode? {
        var node = self
        for step in path.split(separator: ".") {
            let parts = step.split(separator: "[", omittingEmptySubsequences: false)
            if let key = parts.first, !key.isEmpty {
                guard let value = node[String(key)] else { return nil }
                node = value
            }
            for part in parts.dropFirst() {
                guard part.hasSuffix("]"), let index = Int(part.dropLast()), let items = node.items,
                    items.indices.contains(index)
                else { return nil }
                node = items[index]
            }
        }
        return node
    }
}
