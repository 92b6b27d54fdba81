/// Schedules as they are stored: of a calendar one, status 1 and `due` is up to when it was handled, the least number where that is not known.
extension TimerStore {
    func schedules() throws(StoreError) -> [Schedule] {
        let query = statement(.schedules)
        defer { query.reset() }
        var schedules: [Schedule] = []
        while try query.next() {
            let (row, text, due) = (query.int(0), query.text(4), query.int(8))
            guard let kind = TimerKind(code: query.int(3)), (1..<DueQueue.limit).contains(row),
                let run = StoredRun(status: query.int(6), boot: query.int(7), due: due).run
            else { throw .damaged("schedule \(row) has a number, kind or status that is none") }
            let plan: Schedule.Plan
            if text.isEmpty {
                guard query.int(5) > 0 else { throw .damaged("schedule \(row) has a span that is none") }
                plan = .every(query.int(5), run)
            } else {
                guard let rule = try? CalendarRule(text) else {
                    throw .damaged("schedule \(row) has a calendar rule that is none")
                }
                plan = .calendar(rule, handled: due == .min ? nil : due)
            }
            schedules.append(
                Schedule(row: row, pet: query.int(1), name: query.text(2), kind: kind, plan: plan))
        }
        return schedules
    }

    /// - Returns: its row.
    func add(_ schedule: Schedule) throws(StoreError) -> Int64 {
        let (rule, span, run) = stored(schedule.plan)
        try statement(.putSchedule).bind(1, schedule.pet).bind(2, schedule.name).bind(3, schedule.kind.code)
            .bind(4, rule).bind(5, span).bind(6, run.status).bind(7, run.boot).bind(8, run.due).run()
        return database.lastRow
    }

    func update(_ schedule: Schedule) throws(StoreError) {
        let run = stored(schedule.plan).run
        try statement(.updateSchedule).bind(1, schedule.row).bind(2, run.status).bind(3, run.boot).bind(4, run.due)
            .run()
    }

    func remove(_ schedule: Schedule) throws(StoreError) {
        try statement(.dropSchedule).bind(1, schedule.row).run()
    }

    private func stored(_ plan: Schedule.Plan) -> (rule: String, span: Int64, run: StoredRun) {
        switch plan {
        case .calendar(let rule, let handled): (rule.text, 0, StoredRun(status: 1, boot: 0, due: handled ?? .min))
        case .every(let span, let run): ("", span, StoredRun(run))
        }
    }
}
