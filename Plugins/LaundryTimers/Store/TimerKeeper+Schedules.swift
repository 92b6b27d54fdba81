import PluginKit

/// What comes again.
extension TimerKeeper {
    /// The zone, and clocks that were set.
    func follow(_ zone: String) throws(StoreError) {
        let before = calendar
        let changed = calendar.follow(zone, time)
        guard !changed.isEmpty else { return }
        do throws(StoreError) {
            try commit { () throws(StoreError) in
                for schedule in changed {
                    try store.update(schedule)
                    calendar.put(schedule, time)
                }
            }
        } catch {
            // Looked at again by the next call.
            calendar = before
            throw error
        }
    }

    /// A moment of it: a finished timer, and the next one, in one transaction.
    func fire(_ due: Schedule) throws(StoreError) {
        guard let before = try store.pet(row: due.pet) else {
            round.mismatches += 1
            calendar.remove(due.row)
            return
        }
        var (schedule, pet) = (due, before)
        guard let moment = schedule.fire(time, calendar.zone) else {
            round.mismatches += 1
            calendar.put(due, time)
            return
        }
        let finished = pet.meet(moment, schedule, number: number)
        number += 1
        try store.save(pet, was: before)
        try store.add(finished)
        for old in try store.outgrownMoments(of: pet.row, beyond: policy.mostMoments) {
            try acknowledge(old, of: pet)
        }
        try store.update(schedule)
        calendar.put(schedule, time)
        var open = TimerStore.OpenTimer(finished, of: pet)
        open.schedule = schedule.name
        round.hasCompleted = true
        round.deliveries.append(open)
    }

    /// Makes one, or gives it another plan; the same plan goes on.
    func schedule(_ request: ScheduleRequest) throws(StoreError) -> Result<TimerAnswer, PluginError> {
        try found(request.pet).flatMapping { (pet) throws(StoreError) in
            let name = request.usualName
            let plan: Schedule.Plan
            do throws(PluginError) {
                plan = try self.plan(request)
            } catch {
                return .failure(error)
            }
            let old = calendar.of(pet.row).first { $0.name == name }
            if let old, old.kind == request.kind, old.plan.isSame(as: plan) {
                return .success(.schedule(report(old, pet)))
            }
            guard old != nil || calendar.schedules.count < ScheduleBook.most else {
                return .failure(
                    PluginError("there are \(ScheduleBook.most) schedules already; unschedule one", code: .limit))
            }
            try touch()
            if let old {
                try store.remove(old)
                calendar.remove(old.row)
            }
            var new = Schedule(row: 0, pet: pet.row, name: name, kind: request.kind, plan: plan)
            new.row = try store.add(new)
            calendar.put(new, time)
            return .success(.schedule(report(new, pet)))
        }
    }

    private func plan(_ request: ScheduleRequest) throws(PluginError) -> Schedule.Plan {
        try request.check()
        if let rule = try? request.calendar.map({ try CalendarRule($0) }) {
            return .calendar(rule, handled: time.trust > .implausible ? time.now.realtime : nil)
        }
        let basis = request.basis ?? usualBasis
        guard basis == .elapsed || time.trust > .implausible else {
            throw PluginError("the wall clock is not set; give `basis: elapsed`", code: .state, key: "basis")
        }
        let span = request.every?.wholeNanoseconds ?? 0
        return .every(span, time.run(basis, remaining: span))
    }

    func unschedule(_ id: String, _ name: String) throws(StoreError) -> Result<TimerAnswer, PluginError> {
        try found(id).flatMapping { (pet) throws(StoreError) in
            guard let schedule = calendar.of(pet.row).first(where: { $0.name == name }) else {
                return .failure(
                    PluginError("\(id) has no schedule \"\(name)\"; schedules lists them", code: .notFound, key: "name")
                )
            }
            try touch()
            try store.remove(schedule)
            calendar.remove(schedule.row)
            return .success(.schedule(report(schedule, pet)))
        }
    }

    /// In the order in which they were made.
    func schedules(_ after: Int64, _ limit: Int) throws(StoreError) -> TimerAnswer {
        let all = calendar.schedules.values.filter { $0.row > after }.sorted { $0.row < $1.row }
        var reports: [ScheduleReport] = []
        for schedule in all.prefix(limit) {
            if let pet = try store.pet(row: schedule.pet) { reports.append(report(schedule, pet)) }
        }
        return .schedules(
            ScheduleList(
                count: calendar.schedules.count, schedules: reports,
                after: all.count > limit ? all[limit - 1].row : nil))
    }

    private func report(_ schedule: Schedule, _ pet: Pet) -> ScheduleReport {
        var (rule, every, basis) = (String?.none, Duration?.none, Basis.wall)
        switch schedule.plan {
        case .calendar(let its, _): rule = its.text
        case .every(let span, let run):
            every = .nanoseconds(span)
            if case .elapsed = run { basis = .elapsed }
        }
        let left: Int64? =
            switch schedule.place(time, calendar.zone) {
            case .line(.boottime, let due): max(0, due.subtractingClamped(time.now.boottime))
            case .line(.realtime, .max), .waitingForClock, .paused: nil
            case .line(.realtime, let due): max(0, due.subtractingClamped(time.now.realtime))
            }
        return ScheduleReport(
            pet: pet.id, name: schedule.name, kind: schedule.kind, calendar: rule, every: every, basis: basis,
            next: left.map { time.now.realtime.addingClamped($0) }, remaining: left.map { .nanoseconds($0) },
            zone: rule == nil ? nil : calendar.zone.name)
    }
}

extension Schedule.Plan {
    /// Whether somebody who asks for one has the other already.
    fileprivate func isSame(as other: Schedule.Plan) -> Bool {
        switch (self, other) {
        case (.calendar(let left, _), .calendar(let right, _)): left.text == right.text
        case (.every(let left, .elapsed), .every(let right, .elapsed)): left == right
        case (.every(let left, .wall), .every(let right, .wall)): left == right
        default: false
        }
    }
}
