internal import GStreamerKit

/// How a pipeline comes back: the keys of `restart`.
extension ConfigurationFields {
    static let restart = FieldTable<RestartPolicy>(fields: [
        .duration(
            "delay", "from the failure to the first attempt", in: .zero...longestTime, default: "1s", \.delay),
        .number(
            "backoff", "each further attempt waits this many times longer", in: 1...100, default: "2", \.backoff),
        .duration("max-delay", "no attempt waits longer", in: .zero...longestTime, default: "30s", \.longestDelay),
        .percent("jitter", "the share of a wait that chance adds or takes away", default: "10%", \.jitter),
        Field(
            "limit", "more attempts than this in that time are a crash loop", .rate(count: limits, period: periods),
            default: "5 per 1min"
        ) { node, policy, problems in
            guard let rate = node.rate(for: "limit", count: limits, period: periods, &problems) else { return }
            policy.limit = Int(rate.count)
            policy.period = rate.period
        },
        .durationOrNever(
            "cool-down", "how long a crash loop is left alone before it is tried once more",
            in: .seconds(1)...longestTime, default: "5min", \.coolDown),
    ])

    private static let limits: ClosedRange<Int64> = 1...1000
    private static let periods = ClockTime.seconds(1)...longestTime

    static func decodeRestart(_ node: YAMLNode, _ draft: inout PipelineDraft, _ problems: inout Problems) {
        if node.isWord("never") {
            draft.restart = .never
            return
        }
        guard node.entries != nil else {
            problems.error(
                at: node.span, "\"restart\" must be never or a map, not \(node.kind)",
                help: "for example: { delay: 1s, limit: 5 per 1min }",
                suggestion: (node.text?.string).flatMap { Suggestion.nearest(to: $0, among: ["never"]) })
            return
        }
        var policy = RestartPolicy()
        restart.decode(node, subject: "\"restart\"", place: node.span, into: &policy, problems: &problems)
        if policy.longestDelay < policy.delay {
            if let longest = node["max-delay"], !longest.isNull {
                problems.error(
                    at: longest.span, "\"max-delay\" is shorter than \"delay\"",
                    help: "delay is \(Quantity.durationText(policy.delay.nanoseconds))")
            }
            policy.longestDelay = policy.delay
        }
        draft.restart = .policy(policy)
    }
}
