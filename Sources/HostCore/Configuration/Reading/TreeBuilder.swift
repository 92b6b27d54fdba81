/// Puts variables and secrets into a tree and fills in its templates: what is left says everything itself.
struct TreeBuilder {
    private let written: YAMLNode
    private var expander: VariableExpander
    /// By the names of the pipelines made from templates.
    private(set) var templateUses: [String: TemplateSet.Use] = [:]

    init(_ written: YAMLNode, environment: [String: String]) {
        self.written = written
        expander = VariableExpander(vars: written["vars"], environment: environment)
        var store = SecretStore(credentials: environment["CREDENTIALS_DIRECTORY"])
        if let place = written["secrets"], !place.isNull {
            let directory = expander.expand(place)
            if let path = directory.text?.string, !path.isEmpty {
                store.directory = TextFile.resolve(path, beside: directory.span.file.path)
            }
        }
        expander.secrets = store
        expander.checkVariables()
    }

    var problems: Problems { expander.problems }

    /// What was put in for `${secret:NAME}`.
    var secrets: [[UInt8]] { Array(expander.usedSecrets.values) }

    mutating func build() -> YAMLNode {
        guard let entries = written.entries else { return written }
        let templates = TemplateSet(written["templates"], &expander)
        var tree = written
        tree.content = .map(
            entries.map { entry in
                var entry = entry
                switch entry.key {
                case "vars", "secrets", "templates": break
                case "pipelines": entry.value = pipelines(entry.value, templates)
                default: entry.value = expander.expand(entry.value)
                }
                return entry
            })
        return tree
    }

    private mutating func pipelines(_ node: YAMLNode, _ templates: TemplateSet) -> YAMLNode {
        guard let entries = node.entries else { return expander.expand(node) }
        var node = node
        node.content = .map(
            entries.map { entry in
                var entry = entry
                entry.value = expander.expandPipeline(entry.value)
                if let use = templates.fill(entry, &expander) {
                    entry.value = use.pipeline
                    templateUses[entry.key] = use
                }
                return entry
            })
        return node
    }
}

extension VariableExpander {
    /// The keys of a pipeline; its launch text follows rules of its own.
    mutating func expandPipeline(_ node: YAMLNode) -> YAMLNode {
        guard let entries = node.entries else { return expand(node) }
        var node = node
        node.content = .map(
            entries.map { entry in
                var entry = entry
                entry.value = expand(entry.value, in: entry.key == "launch" ? .launch : .plain)
                return entry
            })
        return node
    }
}
