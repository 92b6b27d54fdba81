import PluginKit

/// What can happen to a pet's timer: decisions alone. Each says why it cannot be.
extension Pet {
    /// The longest timer there is: 10 years, in nanoseconds.
    static let longest: Int64 = 3650 * 86_400 * 1_000_000_000

    mutating func start(
        _ kind: TimerKind, duration: Int64?, basis: Basis, number: Int64, _ time: Timekeeping
    ) throws(PluginError) {
        if let timer {
            throw PluginError(
                "\(id) has a \(timer.kind.rawValue) timer already\(left(timer, time)); stop it first", code: .state)
        }
        let duration = duration ?? defaults.duration(kind)
        guard (1...Self.longest).contains(duration) else {
            throw PluginError(
                "a timer of \(Duration.nanoseconds(duration)) is none; give more than 0 and at most 10 years",
                code: .invalid, key: "duration")
        }
        try check(basis, time, key: "basis")
        timer = ActiveTimer(
            start: number, kind: kind, run: time.run(basis, remaining: duration), startedAt: time.now.realtime,
            duration: duration, stateBefore: state, stageBefore: stage)
        state = .running(kind)
        stage = .running(kind, after: stage)
    }

    /// Nothing is finished by that.
    @discardableResult
    mutating func stop() throws(PluginError) -> ActiveTimer {
        let timer = try running("stop")
        state = timer.stateBefore
        stage = timer.stageBefore
        self.timer = nil
        return timer
    }

    mutating func pause(_ time: Timekeeping) throws(PluginError) {
        var timer = try running("pause")
        guard !timer.isPaused else { throw PluginError("the timer of \(id) is paused already", code: .state) }
        guard let remaining = time.remaining(timer) else {
            throw PluginError(
                "the timer of \(id) waits for the clock to be set; how much is left of it is not known yet",
                code: .state)
        }
        timer.run = .paused(timer.basis, remaining: remaining)
        self.timer = timer
    }

    mutating func resume(_ time: Timekeeping) throws(PluginError) {
        var timer = try running("resume")
        guard case .paused(let basis, let remaining) = timer.run else {
            throw PluginError("the timer of \(id) is not paused", code: .state)
        }
        try check(basis, time)
        timer.run = time.run(basis, remaining: remaining)
        self.timer = timer
    }

    /// Makes it longer, also while it is paused or waits for the clock.
    mutating func extend(by more: Int64) throws(PluginError) {
        var timer = try running("extend")
        guard more > 0, timer.duration.addingClamped(more) <= Self.longest else {
            throw PluginError(
                "cannot extend the timer of \(id) by \(Duration.nanoseconds(more)): give more than 0, and 10 years in all",
                code: .invalid, key: "by")
        }
        timer.duration += more
        timer.run = timer.run.moved(by: more)
        self.timer = timer
    }

    /// The time is over: timer, stage and state go on together.
    /// - Returns: nil where it is not, so that none is ever early.
    mutating func complete(_ time: Timekeeping) -> FinishedTimer? {
        guard let timer, let late = time.lateness(timer) else { return nil }
        let finishedAt = time.now.realtime.subtractingClamped(late)
        state = .finished(timer.kind)
        stage = .finished(timer.kind, after: timer.stageBefore)
        if timer.kind != .cycle { caredAt = finishedAt }
        self.timer = nil
        return FinishedTimer(
            start: timer.start, pet: row, kind: timer.kind, startedAt: timer.startedAt, duration: timer.duration,
            finishedAt: finishedAt, late: late, attempts: timer.attempts.addingClamped(1))
    }

    /// A moment of a schedule: the same as the end of a timer, but where one runs that says how the pet is.
    mutating func meet(_ moment: Schedule.Moment, _ schedule: Schedule, number: Int64) -> FinishedTimer {
        if timer == nil {
            state = .finished(schedule.kind)
            stage = .finished(schedule.kind, after: stage)
        }
        return FinishedTimer(
            start: number, pet: row, kind: schedule.kind,
            startedAt: moment.finishedAt.subtractingClamped(moment.span), duration: moment.span,
            finishedAt: moment.finishedAt, late: moment.late, schedule: schedule.row, missed: moment.missed)
    }

    /// The last step of all, which takes no time.
    mutating func fold(_ time: Timekeeping) {
        state = .idle
        stage = .idle
        caredAt = time.now.realtime
    }

    /// By a clock that shows 1970 it would be over in the moment in which somebody sets it.
    private func check(_ basis: Basis, _ time: Timekeeping, key: String? = nil) throws(PluginError) {
        guard basis == .wall, time.trust == .implausible else { return }
        throw PluginError(
            "the wall clock is not set, so \(id) cannot have a timer by it now; give `basis: elapsed`, or set the clock",
            code: .state, key: key)
    }

    private func running(_ what: String) throws(PluginError) -> ActiveTimer {
        guard let timer else { throw PluginError("cannot \(what): \(id) has no timer", code: .state) }
        return timer
    }

    private func left(_ timer: ActiveTimer, _ time: Timekeeping) -> String {
        guard let remaining = time.remaining(timer) else { return ", which waits for the clock to be set" }
        return ", \(timer.isPaused ? "paused with" : "over in") \(max(1, remaining / 1_000_000_000)) s"
            + (timer.isPaused ? " left" : "")
    }
}
