internal import GStreamerKit

/// What a rule does: the same keys in the rule itself and in each entry of `do`.
extension ConfigurationFields {
    static let ruleAction = FieldTable<RuleActionDraft>(fields: [
        Field("call", "a command of a plugin that is called, PLUGIN.COMMAND", .text, example: "replay.save") {
            node, draft, problems in
            guard let text = node.text(for: "call", &problems) else { return }
            let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
                return problems.error(
                    at: node.span, "\(quoted(text)) is not PLUGIN.COMMAND",
                    help: "`mediahost commands` lists those of a running host")
            }
            draft.found.append(
                ("call", RuleAction(kind: .call(instance: parts[0], command: parts[1], with: nil), span: node.span)))
        },
        Field(
            "with",
            "parameters of the command, or of a pipeline's seek, rate or set; $(payload.KEY) is a field of the event",
            .map([], isOpen: true)
        ) { node, draft, problems in
            guard node.entries != nil else {
                return problems.error(
                    at: node.span, "\"with\" must be a map of parameters, not \(node.kind)",
                    help: "for example: { last: 30s }")
            }
            checkTexts(node, &problems)
            draft.parameters = node
            draft.parametersPlace = node.span
        },
        Field("pipeline", "what is done to a pipeline", .map(rulePipeline.descriptions, isOpen: false)) {
            node, draft, problems in decodePipelineAction(node, &draft, &problems)
        },
        Field(
            "lifecycle", "what the host is told of its surroundings", .choice(RuleLifecycle.allCases.map(\.rawValue)),
            example: "pause"
        ) { node, draft, problems in
            guard let change = node.choice(for: "lifecycle", of: RuleLifecycle.self, &problems) else { return }
            draft.found.append(("lifecycle", RuleAction(kind: .lifecycle(change), span: node.span)))
        },
        Field(
            "exec", "a program that is run and its arguments; no shell looks at them", .list(.scalar),
            example: "[/usr/bin/logger, porch is $(payload.state)]"
        ) { node, draft, problems in decodeExec(node, &draft, &problems) },
        Field(
            "timeout", "exec: a program that takes longer is ended, with all it has started", .duration(execTimes),
            default: "30s"
        ) { node, draft, problems in
            if let time = node.duration(for: "timeout", in: execTimes, &problems) { draft.timeout = (time, node.span) }
        },
        Field(
            "stdin", "exec: what the program reads; json is the event", .choice(["none", "json"]), default: "none"
        ) { node, draft, problems in
            guard let text = node.text(for: "stdin", &problems) else { return }
            guard ["none", "json"].contains(text) else {
                return problems.error(
                    at: node.span, "\"stdin\" cannot be \(quoted(text))", help: "valid: none, json",
                    suggestion: Suggestion.nearest(to: text, among: ["none", "json"]))
            }
            draft.givesPayload = (text == "json", node.span)
        },
    ])

    private static let execTimes = ClockTime.milliseconds(10)...ClockTime.seconds(3600)

    private static let rulePipeline = FieldTable<[(RulePipelineVerb, RuleText, SourceSpan)]>(
        fields: RulePipelineVerb.allCases.map { verb in
            Field(verb.rawValue, verb.summary, .text, example: "porch") { node, found, problems in
                guard let text = node.text(for: verb.rawValue, &problems) else { return }
                if let name = ruleText(text, at: node.span, &problems) { found.append((verb, name, node.span)) }
            }
        })

    private static func decodePipelineAction(
        _ node: YAMLNode, _ draft: inout RuleActionDraft, _ problems: inout Problems
    ) {
        var found: [(RulePipelineVerb, RuleText, SourceSpan)] = []
        let before = problems.errorCount
        rulePipeline.decode(node, subject: "\"pipeline\"", place: node.span, into: &found, problems: &problems)
        guard let (verb, name, span) = found.first, found.count == 1 else {
            if problems.errorCount == before {
                problems.error(
                    at: node.span, "\"pipeline\" says one thing that is done, and to which",
                    help: "for example: { restart: porch }")
            }
            return
        }
        draft.found.append(("pipeline", RuleAction(kind: .pipeline(verb, name, with: nil), span: span)))
    }

    private static func decodeExec(_ node: YAMLNode, _ draft: inout RuleActionDraft, _ problems: inout Problems) {
        guard let items = node.items else {
            return problems.error(
                at: node.span, "\"exec\" must be a list, the program and its arguments, not \(node.kind)",
                help: "no shell looks at them; one is a program like any other: [sh, -c, ...]")
        }
        guard let first = items.first else {
            return problems.error(
                at: node.span, "\"exec\" names no program", help: "for example: [/usr/bin/logger, the porch is locked]")
        }
        var words: [RuleText] = []
        for item in items {
            guard let text = item.text?.string, !item.isNull else {
                problems.error(at: item.span, "a word of \"exec\" must be a text, not \(item.kind)")
                continue
            }
            if let word = ruleText(text, at: item.span, &problems) { words.append(word) }
        }
        guard words.count == items.count else { return }
        guard let program = words[0].constant, !program.isEmpty else {
            return problems.error(
                at: first.span, "the program of \"exec\" must be written out", help: "an event chooses arguments only")
        }
        // As seen from the file, as every path of it; a bare name is looked for in $PATH.
        if program.contains("/"), let place = try? RuleText(TextFile.resolve(program, beside: first.span.file.path)) {
            words[0] = place
        }
        draft.found.append(
            (
                "exec",
                RuleAction(
                    kind: .exec(words, timeout: RuleAction.usualTimeout, givesPayload: false), span: first.span)
            ))
    }

    /// A text that may hold fields of the event; what is wrong with it is reported.
    private static func ruleText(_ text: String, at span: SourceSpan, _ problems: inout Problems) -> RuleText? {
        do throws(RuleText.Invalid) {
            return try RuleText(text)
        } catch {
            problems.error(
                at: span, error.message, help: error.help, suggestion: error.suggestion.map { "$(\($0))" })
            return nil
        }
    }

    private static func checkTexts(_ node: YAMLNode, _ problems: inout Problems) {
        switch node.content {
        case .scalar(let text, _): _ = ruleText(text.string, at: node.span, &problems)
        case .list(let items): for item in items { checkTexts(item, &problems) }
        case .map(let entries): for entry in entries { checkTexts(entry.value, &problems) }
        }
    }
}
