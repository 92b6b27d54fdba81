public import GStreamerKit

/// What a reload did, or why it did nothing.
public struct ReloadReport: Sendable {
    public enum Result: Sendable, Equatable {
        /// The new configuration runs.
        case applied
        /// The file is not good, or asks for what needs a restart: nothing was touched.
        case refused
        /// Something of the new configuration did not come up: the old one runs again.
        case rolledBack
        /// The same, but not all of the old configuration came up again.
        case broken
        /// The host is shutting down.
        case abandoned

        /// As the API and events name it.
        public var name: String {
            switch self {
            case .applied: "applied"
            case .refused: "refused"
            case .rolledBack: "rolled-back"
            case .broken: "broken"
            case .abandoned: "abandoned"
            }
        }
    }

    public var result: Result
    /// Warnings where it was applied, else the errors, too.
    public var problems: [Diagnostic]
    /// From the request that began it to its end.
    public var took: ClockTime
    let plan: ReloadPlan?

    init(_ result: Result, _ problems: [Diagnostic] = [], plan: ReloadPlan? = nil, took: ClockTime) {
        self.result = result
        self.problems = problems
        self.plan = plan
        self.took = took
    }

    public var isApplied: Bool { result == .applied }

    /// One line for logs: "reloaded in 34 ms: pipelines: rebuilt porch; 2 unchanged".
    public var summary: String {
        let milliseconds = "\(took.nanoseconds / 1_000_000) ms"
        switch result {
        case .applied: return "reloaded in \(milliseconds): \(changes)"
        case .refused: return "nothing was reloaded: \(Self.count(errors.count, "error"))"
        case .rolledBack:
            return "the reload failed after \(milliseconds), and all is as before: \(Self.count(errors.count, "error"))"
        case .broken:
            return "the reload failed after \(milliseconds), and not all of the old came back: "
                + Self.count(errors.count, "error")
        case .abandoned: return "the reload was given up: the host is shutting down"
        }
    }

    /// As the control API and the events tell it.
    public var value: Value {
        var members: [Value.Member] = [
            .init("applied", .bool(isApplied)), .init("result", .string(result.name)),
            .init("took_ns", .int(took.nanoseconds)),
        ]
        if let plan {
            members.append(.init("pipelines", Self.value(of: plan.pipelines, changed: "rebuilt")))
            members.append(.init("plugins", Self.value(of: plan.plugins, changed: "replaced")))
            if plan.hasRules { members.append(.init("rules", Self.value(of: plan.rules, changed: "changed"))) }
            members.append(.init("settings", .list(plan.settings.map { .string($0) })))
        }
        members.append(.init("problems", .list(problems.map(\.value))))
        return .map(members)
    }

    /// The answer to a request: the report, with the error beside it where nothing was applied.
    var response: ControlResponse {
        guard let error, case .map(let members) = value, case .map(let more) = error.body else {
            return ControlResponse(body: value)
        }
        return ControlResponse(status: error.code.status, body: .map(members + more))
    }

    private var error: ControlError? {
        switch result {
        case .applied: nil
        case .refused, .rolledBack, .broken: ControlError(.configuration, text)
        case .abandoned: ControlError(.state, summary)
        }
    }

    /// The problems as a compiler would write them, and the summary.
    private var text: String { DiagnosticRenderer().render(problems) + summary }

    private var errors: [Diagnostic] { problems.filter { $0.severity == .error } }

    private var changes: String {
        guard let plan, !plan.isEmpty else { return "nothing has changed" }
        let parts = [
            Self.text("pipelines", plan.pipelines, changed: "rebuilt"),
            Self.text("plugins", plan.plugins, changed: "replaced"), Self.text("rules", plan.rules, changed: "changed"),
            plan.settings.isEmpty ? nil : "settings: changed \(plan.settings.joined(separator: ", "))",
        ]
        return parts.compactMap { $0 }.joined(separator: "; ")
    }

    private static func text(_ what: String, _ difference: ReloadDifference, changed: String) -> String? {
        var parts: [String] = []
        for (word, names) in [
            ("removed", difference.removed), ("added", difference.added), (changed, difference.changed),
            ("adjusted", difference.adjusted),
        ] where !names.isEmpty {
            parts.append("\(word) \(names.joined(separator: ", "))")
        }
        if !difference.unchanged.isEmpty { parts.append("\(difference.unchanged.count) unchanged") }
        return parts.isEmpty ? nil : "\(what): \(parts.joined(separator: ", "))"
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    private static func value(of difference: ReloadDifference, changed: String) -> Value {
        func list(_ names: [String]) -> Value { .list(names.map { .string($0) }) }
        return .map([
            .init("removed", list(difference.removed)), .init("added", list(difference.added)),
            .init(changed, list(difference.changed)), .init("adjusted", list(difference.adjusted)),
            .init("unchanged", .int(Int64(difference.unchanged.count))),
        ])
    }
}
