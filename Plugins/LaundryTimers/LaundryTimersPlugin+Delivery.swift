import PluginKit

/// Events and notifications of timers that are over.
extension LaundryTimersPlugin {
    /// - Thread: main.
    func deliver(_ timers: [TimerStore.OpenTimer]) {
        guard let now = host.monotonic?.nanoseconds else { return }
        metrics.finished?.add(Double(timers.count))
        if let last = timers.last { metrics.late?.set(Double(last.timer.late) / 1e9) }
        perform(state.withLock { timers.isEmpty ? $0.courier.flush(at: now) : $0.courier.hand(timers, at: now) }, now)
    }

    /// What could not be told before.
    private func flush() {
        let unposted = state.withLock { state in
            defer { state.unposted = [] }
            return state.unposted
        }
        let lists = stride(from: 0, to: unposted.count, by: Courier.listLength).map {
            Array(unposted[$0..<min($0 + Courier.listLength, unposted.count)])
        }
        let failed = Set(lists.flatMap { post($0) })
        let told = unposted.map(\.timer.start).filter { !failed.contains($0) }
        if !told.isEmpty { engine?.send(.delivered(told)) }
        deliver([])
    }

    private func perform(_ actions: Courier.Actions, _ now: Int64) {
        var postponed: Set<Int64> = []
        for timers in actions.events { postponed.formUnion(post(timers)) }
        for timer in actions.notifications where !show(timer) {
            postponed.insert(timer.timer.start)
            state.withLock { $0.courier.postpone([timer], at: now) }
        }
        if !actions.crowd.isEmpty, !show(crowd: actions.crowd) {
            postponed.formUnion(actions.crowd.map(\.timer.start))
            state.withLock { $0.courier.postpone(actions.crowd, at: now) }
        }
        let delivered = actions.delivered.filter { !postponed.contains($0) }
        if !delivered.isEmpty { engine?.send(.delivered(delivered)) }
        flushLater(now)
    }

    /// - Returns: what the host did not take: it is told later.
    private func post(_ timers: [TimerStore.OpenTimer]) -> [Int64] {
        let staleAfter = state.withLock { $0.settings.policy.staleAfter }
        let reports = timers.map { FinishedReport($0, isStale: $0.timer.late > staleAfter) }
        do throws(PluginError) {
            if let only = reports.first, reports.count == 1 {
                try host.post("finished", only)
            } else {
                try host.post(
                    "finished-many", ["count": .count(reports.count), "timers": .list(reports.map(\.pluginValue))])
            }
            return []
        } catch {
            if error.code == .limit {
                state.withLock { $0.unposted += timers }
            } else {
                // They stay in the store, and are told after the next start.
                host.log(.warning, "\(timers.count) finished timers were not told: \(error.message)")
            }
            return timers.map(\.timer.start)
        }
    }

    /// - Returns: whether nothing more is to be done.
    private func show(_ open: TimerStore.OpenTimer) -> Bool {
        let snooze = state.withLock { $0.settings.policy.snooze }
        do throws(PluginError) {
            let handle = try host.notify(FinishedNotice.notification(open, snooze: snooze)) { [weak self] response in
                self?.hear(response, open)
            }
            state.withLock { $0.notifications[open.petID] = Shown(open: open, handle: handle) }
            return true
        } catch {
            return isDone(error)
        }
    }

    private func show(crowd timers: [TimerStore.OpenTimer]) -> Bool {
        do throws(PluginError) {
            let handle = try host.notify(FinishedNotice.crowd(timers))
            state.withLock { $0.crowd = handle }
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
        let next = state.withLock { state in
            state.unposted.isEmpty ? state.courier.nextFlush : now.addingClamped(250_000_000)
        }
        guard let next else { return }
        let handle = try? host.schedule(after: .nanoseconds(max(0, next.subtractingClamped(now)))) { [weak self] _ in
            self?.flush()
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
    func close(_ settled: [TimerKeeper.Settled]) {
        for one in settled {
            let shown = state.withLock { state -> Shown? in
                state.courier.forget(one)
                guard let shown = state.notifications[one.pet], one.covers(shown.open) else { return nil }
                state.notifications[one.pet] = nil
                return shown
            }
            shown?.handle.withdraw()
        }
    }
}
