import PluginKit

/// What users see, by the clocks of this round.
extension TimerKeeper {
    /// With how long each has been over by now, where the clock can tell.
    func openTimers(after start: Int64 = 0, limit: Int) throws(StoreError) -> [TimerStore.OpenTimer] {
        aged(try store.openTimers(after: start, limit: limit))
    }

    func aged(_ timers: [TimerStore.OpenTimer]) -> [TimerStore.OpenTimer] {
        timers.map { open in
            var open = open
            // An end that a clock showed which was worth nothing says nothing.
            let isKnown = time.trust > .implausible && open.timer.finishedAt >= ClockTrust.earliest
            open.age = max(open.timer.late, isKnown ? time.now.realtime.subtractingClamped(open.timer.finishedAt) : 0)
            return open
        }
    }

    func report(_ pet: Pet) -> PetReport {
        PetReport(
            pet: pet.id, name: pet.name, state: pet.state, stage: pet.stage,
            health: Health.value(
                tick: Health.tick(time.now.realtime), cared: pet.caredAt, span: policy.healthSpan),
            next: pet.nextStep, nextTitle: pet.nextStep?.title, cycle: .nanoseconds(pet.defaults.cycle),
            wash: .nanoseconds(pet.defaults.wash), dry: .nanoseconds(pet.defaults.dry), hasSound: pet.hasSound,
            timer: pet.timer.map { report($0, of: pet) })
    }

    func report(_ timer: ActiveTimer, of pet: Pet) -> TimerReport {
        let remaining = time.remaining(timer)
        return TimerReport(
            pet: pet.id, timer: "\(pet.id)/\(timer.start)", kind: timer.kind, title: timer.kind.title,
            status: timer.isPaused ? .paused : remaining == nil ? .waitingForClock : .running, basis: timer.basis,
            startedAt: timer.startedAt, duration: .nanoseconds(timer.duration),
            remaining: remaining.map { .nanoseconds($0) },
            endsAt: timer.isPaused ? nil : remaining.map { time.now.realtime.addingClamped($0) },
            progress: remaining.map { timer.progress(remaining: $0) })
    }

    func report(_ open: TimerStore.OpenTimer) -> FinishedReport {
        FinishedReport(open, isStale: open.timer.late > policy.staleAfter)
    }

    func list(_ after: Int64, _ limit: Int) throws(StoreError) -> TimerList {
        var timers: [TimerReport] = []
        let rows = after > 0 ? [] : soonest(limit) + waiting.sorted().prefix(limit) + (try store.heldRows(limit))
        for row in rows {
            guard timers.count < limit else { break }
            guard let pet = try store.pet(row: row), let timer = pet.timer else { continue }
            timers.append(report(timer, of: pet))
        }
        let finished = try store.openTimers(after: after, limit: limit)
        return TimerList(
            running: queue.count, paused: try store.count(.countHeld), waiting: waiting.count,
            due: try store.count(.countFinished), timers: timers,
            finished: finished.map { report($0) },
            after: finished.count == limit ? finished.last?.timer.start : nil)
    }

    /// Of both clocks, in the order in which they end. Orders of the same transaction may have taken some away.
    private func soonest(_ limit: Int) -> [Int64] {
        let ends = DueQueue.Line.allCases.flatMap { line in
            queue.soonest(limit, on: line).map { entry in
                let now = line == .boottime ? time.now.boottime : time.now.realtime
                return (left: entry.due.subtractingClamped(now), row: Int64(entry.timer))
            }
        }
        return ends.sorted { ($0.left, $0.row) < ($1.left, $1.row) }.prefix(limit).map(\.row)
    }

    func petList(_ after: Int64, _ limit: Int) throws(StoreError) -> PetList {
        let pets = try store.pets(after: after, limit: limit)
        return PetList(
            count: try store.count(.countPets), pets: pets.map { report($0) },
            after: pets.count == limit ? pets.last?.row : nil)
    }

    func pending() throws(StoreError) -> PendingResult {
        let next = DueQueue.Line.allCases.compactMap { line in
            head(line).map { due in
                line == .realtime
                    ? due : time.now.realtime.addingClamped(max(0, due.subtractingClamped(time.now.boottime)))
            }
        }.min()
        return PendingResult(
            undelivered: try store.count(.countUndelivered), waiting: waiting.count + calendar.waiting.count, next: next
        )
    }

    /// Waking is the plugin's.
    func summary() throws(StoreError) -> Summary {
        Summary(
            pets: try store.count(.countPets), running: queue.count, paused: try store.count(.countHeld),
            waiting: waiting.count, schedules: calendar.schedules.count,
            due: try store.count(.countFinished), clock: "\(time.trust)", waking: .off,
            queueBytes: .bytes(queue.bytes), redeliveries: redeliveries, setAside: setAside)
    }
}

extension FinishedReport {
    init(_ open: TimerStore.OpenTimer, isStale: Bool) {
        self.init(
            pet: open.petID, name: open.petName, timer: open.key, kind: open.timer.kind,
            title: open.timer.kind.finishedTitle, body: open.timer.kind.finishedBody,
            startedAt: open.timer.startedAt, duration: .nanoseconds(open.timer.duration),
            finishedAt: open.timer.finishedAt, late: .nanoseconds(open.timer.late), attempt: open.timer.attempts,
            isStale: isStale, next: open.nextStep, schedule: open.schedule, missed: open.timer.missed)
    }
}
