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

    private(set) var late: [String: Late] = [:]
    private var lastLine: ClockTime?
    private var unsaid = 0

    static func limit(_ function: String) -> ClockTime {
        switch function {
        case "create", "init", "activate", "validate", "apply": start
        default: usual
        }
    }

    /// - Returns: what to say of it, where there is something to say.
    mutating func note(_ function: String, took: ClockTime, at now: ClockTime) -> String? {
        guard let line = Self.overrun(function, took: took) else { return nil }
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
        return line + more
    }

    /// Of one call, where it took too long.
    static func overrun(_ function: String, took: ClockTime) -> String? {
        let limit = limit(function)
        guard took > limit else { return nil }
        return "kept the control thread for \(text(took)) in \(function) (at most \(text(limit)))"
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
