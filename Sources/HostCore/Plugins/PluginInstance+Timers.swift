internal import GStreamerKit
internal import PluginABI

/// What an instance waits for.
extension PluginInstance {
    /// More than a plugin that keeps a queue of its own needs; one that arms without end is told so.
    static let mostTimers = 256
    /// A shorter one would keep the control thread busy with nothing else.
    static let shortestInterval = ClockTime.milliseconds(1)

    func armTimer(_ request: mh_timer_1, _ token: UnsafeMutablePointer<mh_token>) -> mh_status {
        guard state == .active else { return mh_status(MH_E_STATE) }
        guard timerTable?.pointee.on_timer != nil else { return mh_status(MH_E_UNSUPPORTED) }
        guard let clock = ClockName(rawValue: request.clock), request.at != Int64.min, request.slack >= 0,
            request.repeat == 0 || request.repeat >= Self.shortestInterval.nanoseconds
        else { return mh_status(MH_E_INVALID) }
        guard timers.count < Self.mostTimers else {
            if PluginCounters.count(context.counters.refusedTimers) {
                context.log.warning(
                    "wants more than \(Self.mostTimers) timers; those over it are not armed, "
                        + "said once, counted from here on")
            }
            return mh_status(MH_E_LIMIT)
        }
        if let problem = environment?.timers.wakeProblem(on: clock) {
            if !saysNoWake { context.log.notice("\(problem); what is due in sleep comes after it") }
            saysNoWake = true
            return mh_status(MH_E_UNSUPPORTED)
        }
        let timer = TimerQueue.Timer(
            due: ClockTime(nanoseconds: request.at),
            interval: request.repeat == 0 ? nil : ClockTime(nanoseconds: request.repeat),
            slack: ClockTime(nanoseconds: request.slack))
        let armed = environment?.timers.arm(timer, on: clock) { [weak self] in self?.tell($0) }
        guard let armed else {
            context.log.error("cannot arm a timer: the system gives the host no more files")
            return mh_status(MH_E_FAILED)
        }
        timers.insert(armed)
        token.pointee = armed
        return mh_status(MH_OK)
    }

    func cancelTimer(_ token: mh_token) -> mh_status {
        guard timers.remove(token) != nil else { return mh_status(MH_E_NOT_FOUND) }
        environment?.timers.cancel(token)
        return mh_status(MH_OK)
    }

    func endTimers() {
        for timer in timers { environment?.timers.cancel(timer) }
        timers = []
    }

    private func tell(_ expiry: TimerQueue.Expiry) {
        if !expiry.repeats { timers.remove(expiry.id) }
        guard state == .active, let onTimer = timerTable?.pointee.on_timer else { return }
        var view = mh_timer_expiry_1(
            timer: expiry.id, expirations: expiry.expirations, due: expiry.due.nanoseconds,
            late: expiry.late.nanoseconds)
        calling("on_timer") { onTimer(plugin, &view) }
    }
}
