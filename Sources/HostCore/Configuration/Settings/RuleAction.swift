internal import GStreamerKit

/// One thing that a rule does. Positions do not count for equality.
struct RuleAction: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// A command of a plugin; `with` is a map, whose texts may have fields of the event.
        case call(instance: String, command: String, with: YAMLNode?)
        /// `with` as of a call.
        case pipeline(RulePipelineVerb, RuleText, with: YAMLNode?)
        case lifecycle(RuleLifecycle)
        /// A program and its arguments; no shell sees them.
        case exec([RuleText], timeout: ClockTime, givesPayload: Bool)
    }

    var kind: Kind
    /// The value of the key that says what it is.
    var span: SourceSpan

    static func == (left: RuleAction, right: RuleAction) -> Bool { left.kind == right.kind }

    /// Whether `with` says more.
    var takesParameters: Bool {
        switch kind {
        case .call: true
        case .pipeline(let verb, _, _): !verb.parameters.isEmpty
        case .lifecycle, .exec: false
        }
    }

    /// For messages and status: `call replay.save`.
    var summary: String {
        switch kind {
        case .call(let instance, let command, _): "call \(instance).\(command)"
        case .pipeline(let verb, let name, _): "pipeline \(verb.rawValue) \(name.text)"
        case .lifecycle(let change): "lifecycle \(change.rawValue)"
        case .exec(let words, _, _): "exec \(words.first?.text ?? "")"
        }
    }

    /// A program that takes longer is likely to hang.
    static let usualTimeout = ClockTime.seconds(30)
}
