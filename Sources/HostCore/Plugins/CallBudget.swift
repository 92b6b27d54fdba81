internal import GStreamerKit

/// How long an instance keeps the control thread, call by call. The decision without a clock.
struct CallBudget: Sendable {
    /// Longer than this, and a person who waits for an answer notices.
    static let usual = ClockTime.milliseconds(50)
    /// Called once in an instance's life, before media flows, or where its config changes: opening files and devices is
    /// expected here.
    static let start = ClockTime.seconds(1)
    /// A plugin that is always late says so once in this time.
    static let quiet = ClockTime.seconds(10)

    struct Late: Sendable, Equatable {
        var count = 0
        var longest = ClockTime.zero
    }

    /// What calls have taken, in time or not.
    struct Spent: Sendable, Equatable {
        var calls = 0
        var time = ClockTime.zero

        mutating func add(_ took: ClockTime) {
            calls += 1
            time = time + took
        }
    }

    private(set) var late: [String: Late] = [:]
    private var spent: [String: Spent] = [:]
    /// Apart from the others, which are few: many events times many plugins.
    private var events = Spent()
    private var lastLine: ClockTime?
    private var unsaid = 0

    static func limit(_ function: String) -> ClockTime {
        switch function {
        case "create", "init", "activate", "validate", "apply": start
        default: usual
        }
    }

    mutating func noteEvent(took: ClockTime) { events.add(took) }

    /// By function, what was called at all.
    var calls: [(function: String, spent: Spent)] {
        var all: [(function: String, spent: Spent)] = spent.map { ($0.key, $0.value) }
        if events.calls > 0 { all.append(("on_event", events)) }
        return all.sorted { $0.function < $1.function }
    }

    /// One that is not an event. - Returns: what to say of it, where there is something to say.
    mutating func noteCall(_ function: String, took: ClockTime, at now: ClockTime) -> String? {
        spent[function, default: Spent()].add(took)
        return note(function, took: took, at: now)
    }

    /// - Returns: what to say of it, where there is something to say.
    mutating func note(_ function: String, took: ClockTime, at now: ClockTime) -> String? {
        let limit = Self.limit(function)
        guard took > limit else { return nil }
        var known = late[function, default: Late()]
        known.count += 1
        known.longest = max(known.longest, took)
        late[function] = known
        if let lastLine, now - lastLine < Self.quiet {
            unsaid += 1
            return nil
        }
        defer { unsaid = 0 }
        lastLine = now
        let more = unsaid > 0 ? "; \(unsaid) more calls were late since the last line about it" : ""
        return "kept the control thread for \(Self.text(took)) in \(function) (at most \(Self.text(limit)))\(more)"
    }

    /// To the microsecond: what is longer than a limit shall not look like it.
    private static func text(_ span: ClockTime) -> String {
        Quantity.durationText(span.nanoseconds / 1000 * 1000)
    }

    var value: Value {
        .map(
            late.sorted { $0.key < $1.key }.map { function, late in
                .init(
                    function,
                    ["count": .int(Int64(late.count)), "longest_ns": .int(late.longest.nanoseconds)])
            })
    }
}
