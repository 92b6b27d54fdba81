import PluginKit

/// Events and notifications of timers that are over.
extension LaundryTimersPlugin {
    /// - Thread: main.
    func deliver(_ timers: [TimerStore.OpenTimer]) {
        guard let now = host.monotonic?.nanoseconds, !isHostEnding else { return }
        metrics.finished?.add(Double(timers.count))
        if let last = timers.last { metrics.late?.set(Double(last.timer.late) / 1e9) }
        perform(state.withLock { timers.isEmpty ? $0.courier.flush(at: now) : $0.courier.hand(timers, at: now) }, now)
    }

    private func perform(_ actions: Courier.Actions, _ now: Int64) {
        for (index, timers) in actions.events.enumerated() {
            guard post(timers, now) else {
                let rest = Array(actions.events[index...].joined())
                state.withLock { $0.courier.hold(rest, at: now) }
                break
            }
        }
        for timer in actions.notifications {
            if show(timer) {
                state.withLock { $0.courier.shown([timer], at: now) }
            } else {
                state.withLock { $0.courier.postpone([timer], at: now) }
            }
        }
        if !actions.crowd.isEmpty {
            if show(crowd: actions.crowd) {
                state.withLock { $0.courier.shown(actions.crowd, at: now) }
            } else {
                state.withLock { $0.courier.postpone(actions.crowd, at: now) }
            }
        }
        noteLater(now)
        flushLater(now)
    }

    /// Few at a time: what is due meanwhile waits for the store.
    private func noteLater(_ now: Int64) {
        guard let next = state.withLock({ $0.noting == nil ? $0.courier.nextNote : nil }) else { return }
        do throws(PluginError) {
            let wait = max(Self.notePace, next.subtractingClamped(now))
            let handle = try host.schedule(after: .nanoseconds(wait)) { [weak self] _ in
                guard let self else { return }
                let now = host.monotonic?.nanoseconds
                note(at: now)
                if let now { noteLater(now) }
            }
            state.withLock { $0.noting = handle }
        } catch {
            note()
        }
    }

    private static let notePace: Int64 = 10_000_000

    /// What was told and shown long enough ago goes into the store; without a time all of it.
    func note(at now: Int64? = nil) {
        let notes = state.withLock { state in
            state.noting = nil
            return state.courier.takeNotes(at: now)
        }
        if !notes.told.isEmpty { engine?.send(.told(notes.told)) }
        if !notes.delivered.isEmpty { engine?.send(.delivered(notes.delivered)) }
    }

    /// - Returns: false where the host takes no more events now.
    private func post(_ timers: [TimerStore.OpenTimer], _ now: Int64) -> Bool {
        let staleAfter = state.withLock { $0.settings.policy.staleAfter }
        let reports = timers.map { FinishedReport($0, isStale: $0.age > staleAfter) }
        do throws(PluginError) {
            if let only = reports.first, reports.count == 1 {
                try host.post("finished", only)
            } else {
                try host.post(
                    "finished-many", ["count": .count(reports.count), "timers": .list(reports.map(\.pluginValue))])
            }
            state.withLock { $0.courier.told(timers, at: now) }
        } catch {
            guard error.code != .limit else { return false }
            // They stay in the store, and are told after the next start.
            host.log(.warning, "\(timers.count) finished timers were not told: \(error.message)")
        }
        return true
    }

    private func show(_ open: TimerStore.OpenTimer) -> Bool {
        let snooze = state.withLock { $0.settings.policy.snooze }
        do throws(PluginError) {
            let handle = try host.notify(FinishedNotice.notification(open, snooze: snooze)) { [weak self] response in
                self?.hear(response, open)
            }
            state.withLock { $0.notifications[open.timer.pet] = Shown(open: open, handle: handle) }
            return true
        } catch {
            return isDone(error)
        }
    }

    private func show(crowd timers: [TimerStore.OpenTimer]) -> Bool {
        do throws(PluginError) {
            let handle = try host.notify(FinishedNotice.crowd(timers))
            state.withLock { $0.crowd = Crowd(open: timers, handle: handle) }
            return true
        } catch {
            return isDone(error)
        }
    }

    /// Boards without a desktop have events and rules: everything else works.
    private func isDone(_ error: PluginError) -> Bool {
        switch error.code {
        case .limit: return false
        case .unsupported: return true
        default:
            host.log(.warning, error.message)
            return true
        }
    }

    private func flushLater(_ now: Int64) {
        guard let next = state.withLock({ $0.courier.nextFlush }) else { return }
        let handle = try? host.schedule(after: .nanoseconds(max(0, next.subtractingClamped(now)))) { [weak self] _ in
            self?.deliver([])
        }
        state.withLock { $0.flush = handle }
    }

    /// What the user chose. It is about that timer: one that was started since goes on.
    private func hear(_ response: NotificationResponse, _ open: TimerStore.OpenTimer) {
        switch response {
        case .action(FinishedNotice.next): engine?.send(.next(open.petID), complain)
        case .action(FinishedNotice.snooze): engine?.send(.snooze(open.petID, for: nil), complain)
        case .action(PluginKit.Notification.Action.defaultID):
            try? host.post("opened", ["pet": .string(open.petID), "timer": .string(open.key)])
            engine?.send(.acknowledge(open.key))
        case .action: engine?.send(.acknowledge(open.key))
        case .closed(.dismissed): engine?.send(.acknowledge(open.key))
        case .closed: break
        }
    }

    private func complain(_ answer: Result<TimerAnswer, PluginError>) {
        if case .failure(let refusal) = answer { host.log(.notice, refusal.message) }
    }

    /// Their timers are done with: nothing of them stays on the screen.
    func close(_ settled: SettledTimers) {
        let handles = state.withLock { state -> [NotificationHandle] in
            state.courier.forget(settled)
            var handles: [NotificationHandle] = []
            for pet in settled.pets {
                guard let shown = state.notifications[pet], settled.covers(shown.open) else { continue }
                state.notifications[pet] = nil
                handles.append(shown.handle)
            }
            // The crowd's goes with the last of it.
            state.crowd?.open.removeAll { settled.covers($0) }
            if let crowd = state.crowd, crowd.open.isEmpty {
                state.crowd = nil
                handles.append(crowd.handle)
            }
            return handles
        }
        for handle in handles { handle.withdraw() }
    }
}
