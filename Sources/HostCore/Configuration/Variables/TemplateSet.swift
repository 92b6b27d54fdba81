/// The templates of a configuration, and the pipelines that are made from them.
///
/// ```
/// templates:
///   camera:
///     parameters: { device: { type: text }, width: { type: integer, default: 1280 } }
///     launch: v4l2src device=${device} ! video/x-raw,width=${width} ! fakesink
/// pipelines:
///   porch: { template: camera, with: { device: /dev/video0 }, background: keep }
/// ```
/// A parameter hides a variable of its name. The pipeline's own keys win over the template's.
struct TemplateSet {
    /// A pipeline with its template filled in.
    struct Use {
        var pipeline: YAMLNode
        /// What is wrong within the template is wrong because of this pipeline. Nil where nothing was filled in.
        var context: Problems.Context?
    }

    private struct Template {
        /// Nil where they are wrong, and were reported.
        var parameters: [TemplateParameter]?
        /// Its keys but `parameters`.
        var body: YAMLNode
        var keySpan: SourceSpan
    }

    private var templates: [String: Template] = [:]
    private var names: [String] = []

    init(_ node: YAMLNode?, _ expander: inout VariableExpander) {
        guard let node, !node.isNull else { return }
        ConfigurationFields.named(node, "template", &expander.problems) { entry, problems in
            names.append(entry.key)
        }
        for entry in node.entries ?? [] { templates[entry.key] = Self.read(entry, &expander) }
    }

    private static func read(_ entry: YAMLEntry, _ expander: inout VariableExpander) -> Template {
        var template = Template(parameters: nil, body: entry.value, keySpan: entry.keySpan)
        let subject = "template \(quoted(entry.key))"
        guard let entries = entry.value.entries else {
            expander.problems.error(
                at: entry.value.isNull ? entry.keySpan : entry.value.span,
                "\(subject) must be a map, not \(entry.value.kind)", help: "launch: the elements, in gst-launch syntax")
            template.body.content = .map([])
            return template
        }
        let keys = ConfigurationFields.template.map(\.key)
        for unknown in entries where !keys.contains(unknown.key) {
            expander.problems.error(
                at: unknown.keySpan, "unknown key \(quoted(unknown.key)) in \(subject)",
                help: "valid keys: " + keys.joined(separator: ", "),
                suggestion: Suggestion.nearest(to: unknown.key, among: keys))
        }
        template.body.content = .map(entries.filter { $0.key != "parameters" && keys.contains($0.key) })
        let before = expander.problems.diagnostics.count
        var parameters: [TemplateParameter] = []
        if let node = entries.first(where: { $0.key == "parameters" })?.value, !node.isNull {
            let node = expander.expand(node)
            if node.entries == nil {
                expander.problems.error(
                    at: node.span, "\"parameters\" must be a map of names, not \(node.kind)",
                    help: "for example: { device: { type: text } }")
            }
            for entry in node.entries ?? [] {
                guard let parameter = ConfigurationFields.describeParameter(entry, &expander.problems) else { continue }
                parameters.append(parameter)
            }
        }
        if expander.problems.diagnostics.count == before { template.parameters = parameters }
        return template
    }

    /// - Parameter entry: a pipeline, its own keys expanded.
    /// - Returns: nil where it uses no template.
    func fill(_ entry: YAMLEntry, _ expander: inout VariableExpander) -> Use? {
        guard let entries = entry.value.entries else { return nil }
        let with = entries.first { $0.key == "with" && !$0.value.isNull }
        guard let use = entries.first(where: { $0.key == "template" && !$0.value.isNull }) else {
            guard let with else { return nil }
            expander.problems.error(
                at: with.keySpan, "\"with\" goes with \"template\"",
                help: "template: the name of one under `templates:`")
            return nil
        }
        guard let name = use.value.text(for: "template", &expander.problems) else { return Use(pipeline: entry.value) }
        guard let template = templates[name] else {
            expander.problems.error(
                at: use.value.span, "no template \(quoted(name))", help: KnownNames.list("templates", names),
                suggestion: Suggestion.nearest(to: name, among: names))
            return Use(pipeline: entry.value)
        }
        guard let parameters = template.parameters,
            let values = values(with?.value, parameters, of: name, template, at: use.value.span, &expander.problems)
        else { return Use(pipeline: entry.value) }
        let note = Diagnostic.Note(at: use.value.span, "used by pipeline \(quoted(entry.key))")
        let context = Problems.Context(span: template.body.span, note: note)
        expander.parameters = values
        expander.problems.context = context
        let body = expander.expandPipeline(template.body)
        expander.problems.context = nil
        expander.parameters = [:]
        return Use(pipeline: body.merged(with: entry.value, levels: 1), context: context)
    }

    /// What each parameter stands for, or nil where something is wrong with it.
    private func values(
        _ with: YAMLNode?, _ parameters: [TemplateParameter], of name: String, _ template: Template,
        at place: SourceSpan, _ problems: inout Problems
    ) -> [String: VariableExpander.Parameter]? {
        let rule = SchemaRule(
            kind: .object(parameters.map { .init(key: $0.name, rule: $0.rule, isRequired: $0.isRequired) }))
        var input = SchemaInput(YAMLNode(.map([]), span: place))
        if let with { input = SchemaInput(with) }
        var resolver = SchemaResolver(names: nil)
        let resolved = resolver.resolve(input, rule, path: "with", place: place)
        for var diagnostic in resolver.problems.diagnostics {
            diagnostic.note = Diagnostic.Note(at: template.keySpan, "template \(quoted(name)) is here")
            problems.add(diagnostic)
        }
        guard let resolved else { return nil }
        return Dictionary(
            uniqueKeysWithValues: parameters.map { ($0.name, $0.fill(with?[$0.name], resolved[$0.name])) })
    }
}
