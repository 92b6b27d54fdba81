import PluginKit

/// The host's timers: for what is over next, on each clock, and for looking again.
extension LaundryTimersPlugin {
    /// One timer of the host per clock: for the first that is due.
    func arm(_ line: DueQueue.Line, at due: Int64?) {
        let before = state.withLock { $0.alarms[line]?.at }
        guard before != due else { return }
        guard let due else {
            state.withLock { $0.alarms[line] = nil }
            return
        }
        let wakes = state.withLock { $0.waking } == .on
        let clock: ClockKind =
            switch line {
            case .boottime: wakes ? .boottimeAlarm : .boottime
            case .realtime: wakes ? .realtimeAlarm : .realtime
            }
        do throws(PluginError) {
            let handle = try host.schedule(at: Timestamp(nanoseconds: due), on: clock) { [weak self] _ in
                self?.state.withLock { $0.alarms[line] = nil }
                self?.ring(line)
            }
            state.withLock { $0.alarms[line] = Alarm(at: due, handle: handle) }
        } catch {
            host.fail(PluginError("cannot wait for the next timer: \(error.message)", code: error.code))
        }
    }

    /// Tells what is over and ready; the store learns of it, and makes the next ready.
    private func ring(_ line: DueQueue.Line) {
        if line == .boottime, let engine, !isHostEnding, let now = Moment.now(host) {
            deliver(engine.dueSoon.take(at: now))
            // Not when the store is done: that may be some disk's while later.
            if let next = engine.dueSoon.next { arm(.boottime, at: next) }
        }
        look()
    }

    /// Whether the host gives an alarm that wakes the machine. What is armed already is armed anew after the next look.
    func findWaking(_ settings: TimerSettings) throws(PluginError) {
        var waking = settings.wakes ? Waking.on : .off
        if settings.wakes {
            do throws(PluginError) {
                // It ends with its handle.
                _ = try host.schedule(at: Timestamp(nanoseconds: .max), on: .boottimeAlarm) { _ in }
            } catch  where error.code == .unsupported || error.code == .invalid {
                // A host that does not know the clock calls it invalid.
                waking = .cannotWake
            }
        }
        state.withLock { state in
            if state.waking != waking { state.alarms = [:] }
            state.waking = waking
        }
    }

    func retry(after delay: Duration?) {
        guard (delay != nil) != state.withLock({ $0.retry != nil }) else { return }
        let handle = delay.flatMap { delay in
            try? host.schedule(after: delay) { [weak self] _ in
                self?.state.withLock { $0.retry = nil }
                self?.look()
            }
        }
        state.withLock { $0.retry = handle }
    }

    /// The alarms are set anew after it, also where nothing has changed.
    func look() { engine?.send(.look) { [host] _ in host.requestMain() } }

    /// Nothing tells when a time service has found the clock to be right already.
    func watchClock(_ isNeeded: Bool) {
        guard isNeeded != state.withLock({ $0.clockWatch != nil }) else { return }
        let handle =
            isNeeded
            ? try? host.schedule(
                after: .nanoseconds(Health.period), on: .boottime, every: .nanoseconds(Health.period),
                slack: .seconds(5)
            ) { [weak self] _ in self?.engine?.send(.look) } : nil
        state.withLock { $0.clockWatch = handle }
    }
}
