internal import GStreamerKit

/// The rules as the control API, the status and the metrics show them. Nobody changes them but the file.
extension Host {
    public func showRules() -> Value {
        .list(rules.machine.rules.map { .map([.init("name", .string($0.settings.name))] + members(of: $0)) })
    }

    public func attribute(_ request: ControlRequest) -> (@HostActor () -> Void)? {
        guard let place = request.cause.flatMap({ StreamPosition($0) }), place.boot == events.bootID,
            let fired = rules.cause(place.sequence), request.parameters["job"] == nil
        else { return nil }
        let ends =
            if let pipeline = request.parameters["pipeline"] {
                [events.attribute(.source(pipeline), to: fired, lingers: true)]
            } else if let instance = request.parameters["instance"] {
                [events.attribute(.source(instance), to: fired, lingers: false)]
            } else {
                [
                    events.attribute(.lifecycle, to: fired, lingers: false),
                    events.attribute(.pipelines, to: fired, lingers: true),
                ]
            }
        return { for end in ends { end() } }
    }

    var rulesStatus: Value {
        .map(rules.machine.rules.map { .init($0.settings.name, .map(counts(of: $0))) })
    }

    private func members(of rule: RuleMachine.Entry) -> [Value.Member] {
        let settings = rule.settings
        return [
            .init("when", .list(settings.patterns.map { .string($0.text) })),
            .init("does", .list(settings.actions.map { .string($0.summary) })),
        ] + counts(of: rule)
    }

    private func counts(of rule: RuleMachine.Entry) -> [Value.Member] {
        let since = rule.last.map { Value.int((clock.monotonic() - $0).nanoseconds) } ?? .null
        return [
            .init("fired", .int(Int64(rule.counts.fired))), .init("failed", .int(Int64(rule.counts.failed))),
            .init("dropped", .int(Int64(rule.counts.dropped.values.reduce(0, +)))),
            .init("since_last_ns", since),
            .init("last_failure", rules.lastFailure(of: rule.id).map { .string($0) } ?? .null),
        ]
    }

    var ruleFamilies: [MetricFamily] {
        var fired = MetricFamily("mediahost_rule_fired_total", .counter, "How often a rule has fired.")
        var failed = MetricFamily("mediahost_rule_failed_total", .counter, "Firings that did not do all they should.")
        var dropped = MetricFamily("mediahost_rule_dropped_total", .counter, "Firings that did not happen, by reason.")
        for rule in rules.machine.rules {
            let name = secrets.mask(rule.settings.name)
            fired.add(Double(rule.counts.fired), ["rule": name])
            failed.add(Double(rule.counts.failed), ["rule": name])
            for reason in RuleDrop.allCases {
                dropped.add(Double(rule.counts.dropped[reason] ?? 0), ["rule": name, "reason": reason.rawValue])
            }
        }
        return [fired, failed, dropped]
    }

    /// What rules call that plugins of this host do not have.
    func ruleProblems(_ wanted: [RuleSettings], names: KnownNames) -> [Diagnostic] {
        RuleCheck.commands(wanted, of: plugins.instances.map { ($0.name, $0.commands) }, names: names)
    }
}
