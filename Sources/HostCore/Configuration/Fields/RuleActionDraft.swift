internal import GStreamerKit

/// One action as its keys are read, before it is known to be exactly one.
struct RuleActionDraft {
    /// What it is by each key that says so, in the order of the file.
    var found: [(key: String, action: RuleAction)] = []
    var parameters: YAMLNode?
    var parametersPlace: SourceSpan?
    var timeout: (time: ClockTime, span: SourceSpan)?
    var givesPayload: (flag: Bool, span: SourceSpan)?

    /// Those that take parameters.
    private static let verbs = RulePipelineVerb.allCases.filter { !$0.parameters.isEmpty }.map(\.rawValue)
        .joined(separator: ", ")

    var isEmpty: Bool { found.isEmpty && parameters == nil && timeout == nil && givesPayload == nil }

    /// The action, where there is exactly one and every other key belongs to it.
    func action(_ subject: String, at place: SourceSpan, _ problems: inout Problems) -> RuleAction? {
        guard let (key, first) = found.first else {
            problems.error(
                at: place, "\(subject) does nothing", help: "say what: call, pipeline, lifecycle, exec, or do")
            return nil
        }
        if found.count > 1 {
            problems.error(
                at: found[1].action.span, "\(subject) has \(quoted(key)) and \(quoted(found[1].key))",
                help: "for several, one after the other: do: [{ \(key): ... }, { \(found[1].key): ... }]")
            return nil
        }
        var action = first
        switch action.kind {
        case .call(let instance, let command, _):
            action.kind = .call(instance: instance, command: command, with: parameters)
        case .exec(let words, let usual, _):
            action.kind = .exec(words, timeout: timeout?.time ?? usual, givesPayload: givesPayload?.flag ?? false)
        case .pipeline(let verb, let name, _): action.kind = .pipeline(verb, name, with: parameters)
        case .lifecycle: break
        }
        if !action.takesParameters, let parametersPlace {
            problems.error(
                at: parametersPlace, "\"with\" goes with \"call\", not with \(quoted(key))",
                help: "of \"pipeline\" it goes with \(Self.verbs)")
        }
        for (name, span) in [("timeout", timeout?.span), ("stdin", givesPayload?.span)] where key != "exec" {
            if let span { problems.error(at: span, "\(quoted(name)) goes with \"exec\", not with \(quoted(key))") }
        }
        return action
    }
}
