internal import GStreamerKit

/// One entry under `rules:`: which events, under which conditions, and what is done then.
///
/// Two of them are equal when they do the same, wherever they are written.
public struct RuleSettings: Sendable, Equatable {
    /// Written, or else the first pattern, with a number where several would be called so.
    public var name: String
    var patterns: [EventPattern] = []
    /// Whose events; empty: anybody's.
    var sources: [String] = []
    /// Where each of them is written.
    var sourcePlaces: [SourceSpan] = []
    /// All of them must hold.
    var conditions: [RuleCondition] = []
    /// Without another event for this long it fires, once, with the last one; zero: with each.
    var debounce = ClockTime.zero
    var rate = Rate()
    /// Done one after the other; the first that fails is the last.
    var actions: [RuleAction] = []
    /// Where it stands.
    var span: SourceSpan

    /// More firings than this in that time are dropped.
    struct Rate: Sendable, Equatable {
        var count: Int64 = 100
        var period = ClockTime.seconds(10)
    }

    init(_ name: String, span: SourceSpan) {
        self.name = name
        self.span = span
    }

    public static func == (left: RuleSettings, right: RuleSettings) -> Bool {
        left.name == right.name && left.doesTheSame(as: right)
    }

    /// Whatever they are called.
    func doesTheSame(as other: RuleSettings) -> Bool {
        patterns == other.patterns && sources == other.sources && conditions == other.conditions
            && debounce == other.debounce && rate == other.rate && actions == other.actions
    }

    /// Whether an event is meant. What a rule tells of itself is never meant: it would not end.
    func wants(_ event: Event) -> Bool {
        guard patterns.contains(where: { $0.matches(event.name) }) else { return false }
        guard sources.isEmpty || sources.contains(event.source) else { return false }
        if event.name.hasPrefix(Self.eventPrefix), event.payload["rule"]?.string == name { return false }
        return conditions.allSatisfy { $0.holds(of: event.payload) }
    }

    /// What all events begin with that tell of rules.
    static let eventPrefix = "rule."
}
