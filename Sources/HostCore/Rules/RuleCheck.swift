internal import Glibc
internal import GStreamerKit

/// What can be said of rules before they fire.
enum RuleCheck {
    // MARK: - The file alone

    /// Names of pipelines and plugins that are not there, and rules that start themselves.
    /// - Thread: any.
    static func references(_ rules: [RuleSettings], names: KnownNames, _ problems: inout Problems) {
        for rule in rules {
            for (source, span) in zip(rule.sources, rule.sourcePlaces) { check(source, span, names, &problems) }
            for action in rule.actions {
                switch action.kind {
                case .call(let instance, let command, _):
                    guard let unknown = names.check(instance: instance) else { continue }
                    problems.error(
                        at: action.span.part(0..<instance.utf8.count, of: "\(instance).\(command)"),
                        unknown.message, help: unknown.help, suggestion: unknown.suggestion)
                case .pipeline(let verb, let name, let parameters):
                    if let name = name.constant, let unknown = names.check(pipeline: name) {
                        problems.error(
                            at: action.span, unknown.message, help: unknown.help, suggestion: unknown.suggestion)
                    }
                    check(verb, of: name.constant, parameters, at: action.span, names, &problems)
                case .lifecycle, .exec: continue
                }
            }
            if let action = startsItself(rule) {
                problems.warning(
                    at: action.span,
                    "rule \(quoted(rule.name)) starts itself: \(action.summary) brings about what it waits for",
                    help: "say in \"if\" which events are meant, as { state: failed }")
            }
        }
    }

    /// What `with` says to a pipeline: that it is all there and fits, and that a property may be set.
    private static func check(
        _ verb: RulePipelineVerb, of pipeline: String?, _ parameters: YAMLNode?, at span: SourceSpan,
        _ names: KnownNames, _ problems: inout Problems
    ) {
        guard !verb.parameters.isEmpty else { return }
        let before = problems.errorCount
        for problem in verb.schema.problems(
            of: input(parameters, at: span), names: names, place: parameters?.span ?? span)
        {
            problems.add(problem)
        }
        guard problems.errorCount == before, let pipeline, let node = parameters?["property"],
            let property = node.text.flatMap({ (try? RuleText($0.string))?.constant }),
            let unknown = names.check(property: property, of: pipeline)
        else { return }
        problems.error(at: node.span, unknown.message, help: unknown.help, suggestion: unknown.suggestion)
    }

    /// The host, a pipeline or a plugin.
    private static func check(
        _ source: String, _ span: SourceSpan, _ names: KnownNames, _ problems: inout Problems
    ) {
        let known = ["host"] + names.pipelines.map(\.name) + names.instances
        guard !known.contains(source) else { return }
        problems.error(
            at: span, "no pipeline or plugin \(quoted(source))", help: KnownNames.list("sources", known),
            suggestion: Suggestion.nearest(to: source, among: known))
    }

    /// The first action that brings about an event that its own rule fires for, as far as that is plain: a restart of the
    /// pipeline whose every start it waits for.
    private static func startsItself(_ rule: RuleSettings) -> RuleAction? {
        rule.actions.first { action in
            guard case .pipeline(.restart, let name, _) = action.kind else { return false }
            // Where the event chooses the pipeline, it is the one that it comes from.
            let source = name.constant ?? rule.sources.first ?? "any"
            let fields = Set(rule.conditions.map(\.field))
            return brought(by: source).contains { event in
                fields.isSubset(of: event.payload.members?.map(\.key) ?? []) && rule.wants(event)
            }
        }
    }

    /// What a restart of a pipeline posts for certain, with the fields that are certain.
    private static func brought(by pipeline: String) -> [Event] {
        let payloads: [(String, Value)] =
            [("pipeline.first-buffer", [:])]
            + ["stopped", "starting", "playing"].map { ("pipeline.state", ["state": .string($0)]) }
        return payloads.map { name, payload in
            Event(
                sequence: 0, name: name, source: pipeline, payload: payload, monotonic: .zero, realtime: .zero,
                cause: nil, depth: 0)
        }
    }

    // MARK: - The machine

    /// Programs that are not there now; they may come later.
    /// - Thread: worker, or main before anything runs; asks the file system.
    static func programs(_ rules: [RuleSettings], path: String) -> [Diagnostic] {
        rules.flatMap { rule in
            rule.actions.compactMap { action in
                guard case .exec(let words, _, _) = action.kind, let program = words.first?.constant else { return nil }
                if program.contains("/") {
                    guard access(program, X_OK) != 0 else { return nil }
                    let reason = String(cString: strerror(errno))
                    return Diagnostic(.warning, at: action.span, "cannot run \(quoted(program)): \(reason)")
                }
                let places = path.split(separator: ":").map { "\($0)/\(program)" }
                guard !places.contains(where: { access($0, X_OK) == 0 }) else { return nil }
                return Diagnostic(
                    .warning, at: action.span, "there is no program \(quoted(program)) in $PATH",
                    help: "$PATH of a service is short; write the whole path")
            }
        }
    }

    // MARK: - Plugins that are there

    /// Calls of commands that a plugin does not have, and parameters that do not fit.
    /// - Parameter instances: those whose commands are known; calls of others are not looked at.
    static func commands(
        _ rules: [RuleSettings], of instances: [(name: String, commands: [PluginCommand])], names: KnownNames
    ) -> [Diagnostic] {
        var found: [Diagnostic] = []
        for action in rules.flatMap(\.actions) {
            guard case .call(let instance, let name, let parameters) = action.kind,
                let commands = instances.first(where: { $0.name == instance })?.commands
            else { continue }
            guard let command = commands.first(where: { $0.name == name }) else {
                let list = commands.map(\.name)
                found.append(
                    Diagnostic(
                        .error, at: action.span, "plugin \(quoted(instance)) has no command \(quoted(name))",
                        help: KnownNames.list("commands", list),
                        suggestion: Suggestion.nearest(to: name, among: list).map { "\(instance).\($0)" }))
                continue
            }
            let isEmpty = parameters?.entries?.isEmpty ?? true
            guard let schema = command.parameters else {
                if !isEmpty {
                    found.append(
                        Diagnostic(.error, at: parameters?.span, "command \(quoted(name)) takes no parameters"))
                }
                continue
            }
            found += schema.problems(
                of: input(parameters, at: action.span), names: names, place: parameters?.span ?? action.span)
        }
        return found
    }

    /// - Parameter span: where there are no parameters.
    private static func input(_ parameters: YAMLNode?, at span: SourceSpan) -> SchemaInput {
        var input = parameters.map(input) ?? SchemaInput(.map([]))
        input.span = parameters?.span ?? span
        return input
    }

    /// Texts that hold fields of an event fit for now.
    private static func input(_ node: YAMLNode) -> SchemaInput {
        var input = SchemaInput(node)
        switch node.content {
        case .scalar(let text, _):
            if !node.isNull, (try? RuleText(text.string))?.constant == nil { input.content = .later }
        case .list(let items): input.content = .list(items.map { self.input($0) })
        case .map(let entries):
            input.content = .map(
                entries.map { .init(key: $0.key, keySpan: $0.keySpan, value: self.input($0.value)) })
        }
        return input
    }
}
