/// What comes again for a pet: by a calendar, or after a span of time.
///
/// A moment of it is a finished timer, with a number of its own; it needs none that runs.
struct Schedule: Sendable, Equatable {
    enum Plan: Sendable, Equatable {
        /// By the clock on the wall. All of its moments up to `handled` are done with: nanoseconds since 1970, nil where it was made
        /// while the clock showed a time that cannot be.
        case calendar(CalendarRule, handled: Int64?)
        /// Nanoseconds, and when the next is due.
        case every(Int64, ActiveTimer.Run)
    }

    /// Its row.
    var row: Int64
    var pet: Int64
    /// Of all of a pet's, unique.
    var name: String
    var kind: TimerKind
    var plan: Plan

    /// What was due.
    struct Moment: Sendable, Equatable {
        /// The last one, on the wall clock.
        var finishedAt: Int64
        /// How long ago that was, on its own clock.
        var late: Int64
        /// Moments before it that nobody heard of.
        var missed: Int64
        /// The span before it.
        var span: Int64
    }

    /// A clock that is set back by less than this has no moment come twice; by more, it was wrong before.
    static let correction: Int64 = 3 * 3600 * 1_000_000_000
    /// Moments that are counted at most, where a board was off for long.
    private static let mostMissed: Int64 = 1000

    /// When it is due next, by the clocks of now.
    func place(_ time: Timekeeping, _ zone: LocalZone) -> Timekeeping.Placement {
        switch plan {
        case .every(_, let run): return time.place(run)
        case .calendar(let rule, let handled):
            guard time.trust > .implausible, let handled else { return .waitingForClock }
            return .line(.realtime, due: rule.next(after: handled, in: zone) ?? .max)
        }
    }

    /// What a clock that was set means for it. - Returns: whether it has changed.
    mutating func follow(_ time: Timekeeping) -> Bool {
        guard case .calendar(let rule, let handled) = plan, time.trust > .implausible else { return false }
        if let handled, time.now.realtime >= handled.subtractingClamped(Self.correction) { return false }
        plan = .calendar(rule, handled: time.now.realtime)
        return true
    }

    /// What came last of it, where something is due; the next is after that.
    mutating func fire(_ time: Timekeeping, _ zone: LocalZone) -> Moment? {
        guard case .line(let line, let due) = place(time, zone) else { return nil }
        let now = line == .boottime ? time.now.boottime : time.now.realtime
        guard due <= now else { return nil }
        switch plan {
        case .every(let span, let run):
            let missed = now.subtractingClamped(due) / span
            let late = now.subtractingClamped(due) % span
            let further = span.multipliedReportingOverflow(by: missed + 1).partialValue
            plan = .every(span, run.moved(by: further))
            return Moment(
                finishedAt: time.now.realtime.subtractingClamped(late), late: late, missed: missed, span: span)
        case .calendar(let rule, let handled):
            let last = rule.latest(by: now, in: zone) ?? due
            var (missed, moment, before) = (Int64(0), due, handled ?? due)
            while missed < Self.mostMissed, moment < last, let next = rule.next(after: moment, in: zone) {
                (before, moment) = (moment, next)
                missed += 1
            }
            plan = .calendar(rule, handled: now)
            return Moment(
                finishedAt: last, late: now.subtractingClamped(last), missed: missed,
                span: max(0, last.subtractingClamped(before)))
        }
    }
}

extension ActiveTimer.Run {
    /// The same, later.
    func moved(by more: Int64) -> ActiveTimer.Run {
        switch self {
        case .elapsed(let boot, let due): .elapsed(boot: boot, due: due.addingClamped(more))
        case .wall(let boot, let due): .wall(boot: boot, due: due.addingClamped(more))
        case .paused(let basis, let remaining): .paused(basis, remaining: remaining.addingClamped(more))
        }
    }
}
