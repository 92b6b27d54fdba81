internal import GStreamerKit

/// Which rules fire for which events, and when: the decisions, without a clock and without doing anything.
///
/// ```
///            event it wants
///   waiting ───────────────▶ (debounce: until it was quiet for so long) ──▶ rate ──▶ fire ──▶ at work ──finished──▶ waiting
///                 │ a chain of causes that is too long: a loop      │ too often      ▲          │ others, up to
///                 ▼                                                 ▼                └──────────┘ `mostWaiting`, wait
///              dropped                                           dropped                          for it; more are dropped
/// ```
/// A rule does one firing at a time, in the order of their events.
struct RuleMachine: Sendable {
    /// Names a rule for as long as it means the same: over reloads, too.
    typealias ID = UInt64

    enum Action: Sendable, Equatable {
        case fire(ID, Event)
        /// Firings that did not happen, this one included; told once and then once in a while.
        case report(ID, RuleDrop, count: Int, Event)
    }

    /// What became of a rule so far.
    struct Counts: Sendable, Equatable {
        var fired = 0
        var failed = 0
        var dropped: [RuleDrop: Int] = [:]
    }

    /// One rule and what it has seen.
    struct Entry: Sendable {
        let id: ID
        fileprivate(set) var settings: RuleSettings
        fileprivate(set) var counts = Counts()
        /// When it fired last, on the monotonic clock.
        fileprivate(set) var last: ClockTime?
        fileprivate(set) var isAtWork = false
        fileprivate(set) var waiting: [Event] = []
        fileprivate var bucket: TokenBucket
        fileprivate var quiet: (until: ClockTime, event: Event)?
        fileprivate var reports: [RuleDrop: (last: ClockTime, unsaid: Int)] = [:]

        fileprivate init(_ id: ID, _ settings: RuleSettings) {
            self.id = id
            self.settings = settings
            bucket = TokenBucket(settings.rate.count, per: settings.rate.period)
        }
    }

    /// Firings that wait for the one that is under way.
    static let mostWaiting = 8
    /// How often it is told that a rule's firings are dropped.
    static let reportPeriod = ClockTime.seconds(60)

    /// In the order of the file.
    private(set) var rules: [Entry] = []
    private var lastID: ID = 0

    subscript(id: ID) -> Entry? { rules.first { $0.id == id } }

    /// What any of them waits for.
    var patterns: [EventPattern] { rules.flatMap(\.settings.patterns) }

    /// These from now on. What a rule was and still is keeps what it has seen.
    mutating func use(_ settings: [RuleSettings]) {
        var old = rules
        func take(_ isIt: (Entry) -> Bool) -> Entry? { old.firstIndex(where: isIt).map { old.remove(at: $0) } }
        // By name first: of two that do the same each stays itself.
        var kept: [Entry?] = settings.map { wanted in take { $0.settings == wanted } }
        for index in kept.indices where kept[index] == nil {
            kept[index] = take { $0.settings.doesTheSame(as: settings[index]) }
        }
        rules = zip(settings, kept).map { settings, entry in
            if var entry {
                entry.settings = settings
                return entry
            }
            lastID += 1
            return Entry(lastID, settings)
        }
    }

    // MARK: - What happens

    /// An event that matches one of `patterns`.
    mutating func handle(_ event: Event, at now: ClockTime) -> [Action] {
        var actions: [Action] = []
        for index in rules.indices where rules[index].settings.wants(event) {
            if event.depth >= EventHub.deepest {
                actions += drop(index, .loop, event, now)
            } else if rules[index].settings.debounce > .zero {
                rules[index].quiet = (now + rules[index].settings.debounce, event)
            } else {
                actions += admit(index, event, now)
            }
        }
        return actions
    }

    /// When something is due without an event.
    var due: ClockTime? { rules.compactMap { $0.quiet?.until }.min() }

    /// Time has passed.
    mutating func advance(to now: ClockTime) -> [Action] {
        let ready = rules.indices.compactMap { index in
            rules[index].quiet.flatMap { $0.until <= now ? (index: index, quiet: $0) : nil }
        }
        return ready.sorted { ($0.quiet.until, $0.index) < ($1.quiet.until, $1.index) }.flatMap { index, quiet in
            rules[index].quiet = nil
            return admit(index, quiet.event, now)
        }
    }

    /// A firing is over.
    mutating func finished(_ id: ID, failed: Bool, at now: ClockTime) -> [Action] {
        guard let index = rules.firstIndex(where: { $0.id == id }), rules[index].isAtWork else { return [] }
        if failed { rules[index].counts.failed += 1 }
        rules[index].isAtWork = false
        guard !rules[index].waiting.isEmpty else { return [] }
        return [fire(index, rules[index].waiting.removeFirst(), now)]
    }

    /// It could not be begun: the machine is busy with others. The firing is over, and counts as dropped.
    mutating func refused(_ id: ID, _ event: Event, at now: ClockTime) -> [Action] {
        guard let index = rules.firstIndex(where: { $0.id == id }) else { return [] }
        return drop(index, .busy, event, now)
    }

    private mutating func admit(_ index: Int, _ event: Event, _ now: ClockTime) -> [Action] {
        guard rules[index].bucket.take(at: now) else { return drop(index, .rate, event, now) }
        guard rules[index].isAtWork else { return [fire(index, event, now)] }
        guard rules[index].waiting.count < Self.mostWaiting else { return drop(index, .busy, event, now) }
        rules[index].waiting.append(event)
        return []
    }

    private mutating func fire(_ index: Int, _ event: Event, _ now: ClockTime) -> Action {
        rules[index].isAtWork = true
        rules[index].counts.fired += 1
        rules[index].last = now
        return .fire(rules[index].id, event)
    }

    private mutating func drop(_ index: Int, _ why: RuleDrop, _ event: Event, _ now: ClockTime) -> [Action] {
        rules[index].counts.dropped[why, default: 0] += 1
        // Telling of a loop of what is told of rules would be its next turn.
        if why == .loop, event.name.hasPrefix(RuleSettings.eventPrefix) { return [] }
        let unsaid = (rules[index].reports[why]?.unsaid ?? 0) + 1
        if let last = rules[index].reports[why]?.last, now - last < Self.reportPeriod {
            rules[index].reports[why] = (last, unsaid)
            return []
        }
        rules[index].reports[why] = (now, 0)
        return [.report(rules[index].id, why, count: unsaid, event)]
    }
}
