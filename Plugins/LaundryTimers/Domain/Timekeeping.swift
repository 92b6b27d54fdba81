/// The clocks as the timers see them: which boot this is, what others left behind, what the wall clock is worth.
struct Timekeeping: Sendable {
    var now: Moment
    var boot: Int64
    var trust: ClockTrust
    /// Those of which timers are left, without this one.
    var past: [Int64: BootRecord] = [:]

    /// Where a timer waits, by the clocks of now.
    enum Placement: Sendable, Equatable {
        case line(DueQueue.Line, due: Int64)
        /// Until the wall clock can be believed.
        case waitingForClock
        case paused
    }

    /// What becomes of a timer.
    ///
    /// - same boot: its boottime, whatever the wall clock says
    /// - another boot, in which a time service had set the clock: its wall time, once the clock is worth something. Where a time
    ///   service has set it now, too, the timer gets a boottime of this boot (`settled`); until then it stays with the wall clock
    /// - another boot, in which the clock may have been right: its wall time by the same clock, as long as nobody has set it in
    ///   between; a boottime of this boot at once, before somebody does
    /// - another boot, and the two clocks say nothing about each other: nobody knows how long the board was off, so the rest of
    ///   it begins now. Late, never early
    func place(_ timer: ActiveTimer) -> Placement { place(timer.run) }

    func place(_ run: ActiveTimer.Run) -> Placement {
        switch run {
        case .paused: return .paused
        case .wall(let boot, let due):
            return boot == self.boot || trust > .implausible ? .line(.realtime, due: due) : .waitingForClock
        case .elapsed(let boot, let due):
            guard boot != self.boot else { return .line(.boottime, due: due) }
            if let shift = settlement(of: boot) { return .line(.boottime, due: due.addingClamped(shift)) }
            guard trust > .implausible, let before = past[boot], before.trust == .synchronised else {
                return .waitingForClock
            }
            return .line(.realtime, due: due.addingClamped(before.offset))
        }
    }

    /// What has to be added to the boottimes of another boot to have those of this one, once and for all; nil while it is not known.
    ///
    /// - both wall clocks are those of a time service, or none is and both may be right: the difference of both offsets
    /// - the clock was worth nothing then, or a time service has corrected it since by nobody knows how much: the last moment that
    ///   was heard of is now
    func settlement(of boot: Int64) -> Int64? {
        guard boot != self.boot, let before = past[boot] else { return nil }
        switch (before.trust, trust) {
        case (.implausible, _), (.plausible, .synchronised): return now.boottime.subtractingClamped(before.last)
        case (.synchronised, .synchronised), (.plausible, .plausible):
            return before.offset.subtractingClamped(now.offset)
        case (.synchronised, _), (.plausible, .implausible): return nil
        }
    }

    /// The timer with a due time of this boot, where it had one of another and this is known; nil where nothing changes.
    func settled(_ timer: ActiveTimer) -> ActiveTimer? {
        guard case .elapsed(let boot, let due) = timer.run, let shift = settlement(of: boot) else { return nil }
        var settled = timer
        settled.run = .elapsed(boot: self.boot, due: due.addingClamped(shift))
        return settled
    }

    /// What is left; nil where the clock is waited for.
    func remaining(_ timer: ActiveTimer) -> Int64? {
        if case .paused(_, let remaining) = timer.run { return remaining }
        switch place(timer) {
        case .line(.boottime, let due): return max(0, due.subtractingClamped(now.boottime))
        case .line(.realtime, let due): return max(0, due.subtractingClamped(now.realtime))
        case .waitingForClock, .paused: return nil
        }
    }

    /// How long it has been over, on its own clock; nil where it is not.
    func lateness(_ timer: ActiveTimer) -> Int64? {
        let late: Int64
        switch place(timer) {
        case .line(.boottime, let due): late = now.boottime.subtractingClamped(due)
        case .line(.realtime, let due): late = now.realtime.subtractingClamped(due)
        case .waitingForClock, .paused: return nil
        }
        return late >= 0 ? late : nil
    }

    /// A run that is due in `remaining` from now.
    func run(_ basis: Basis, remaining: Int64) -> ActiveTimer.Run {
        switch basis {
        case .elapsed: .elapsed(boot: boot, due: now.boottime.addingClamped(remaining))
        case .wall: .wall(boot: boot, due: now.realtime.addingClamped(remaining))
        }
    }
}
