/// What main may tell before it is committed.
extension TimerKeeper {
    /// So long before its end a timer is made ready; nanoseconds. Longer than a disk stalls that is well.
    static let usualLead: Int64 = 250_000_000

    /// Inside of a transaction, behind what it does: until when timers may be told without it, and those of which that is true now.
    func makeReady() throws(StoreError) -> [DueSoon.Entry] {
        guard lead > 0 else { return [] }
        let soon = time.now.boottime.addingClamped(lead)
        var first = queue.head(.boottime)?.due ?? .max
        for edit in edits {
            if let due = dueOnBoottime(edit) { first = min(first, due) }
        }
        var rows = withdrawn
        if first <= soon, toldUntil <= soon {
            toldUntil = soon.addingClamped(lead)
            try store.setToldUntil(toldUntil, boot: time.boot)
            rows += queue.due(by: toldUntil, on: .boottime, most: DueSoon.most).map { Int64($0.timer) }
        }
        for edit in edits {
            if case .set(let row, _) = edit, let due = dueOnBoottime(edit), due <= toldUntil { rows.append(row) }
        }
        return try entries(rows)
    }

    private func dueOnBoottime(_ edit: QueueEdit) -> Int64? {
        guard case .set(_, let run) = edit, case .line(.boottime, let due) = time.place(run) else { return nil }
        return due
    }

    private func entries(_ rows: [Int64]) throws(StoreError) -> [DueSoon.Entry] {
        var entries: [DueSoon.Entry] = []
        var seen: Set<Int64> = []
        let room = dueSoon.room
        for row in rows where entries.count < room && seen.insert(row).inserted && !dueSoon.holds(row) {
            guard let pet = try store.pet(row: row), case .elapsed(time.boot, let due)? = pet.timer?.run,
                due > time.now.boottime, due <= toldUntil
            else { continue }
            var (done, end) = (pet, time)
            end.now = Moment(boottime: due, realtime: due.addingClamped(time.now.offset))
            guard let finished = done.complete(end) else { continue }
            entries.append(DueSoon.Entry(due: due, open: TimerStore.OpenTimer(finished, of: done)))
        }
        return entries
    }

    /// The next moment at which the keeper has something to do on a clock: what main has ready it tells without it.
    func nextRound(_ line: DueQueue.Line) -> Int64? {
        let calendar = calendar.queue.head(line)?.due
        guard let head = queue.head(line) else { return calendar }
        guard line == .boottime, lead > 0 else { return min(head.due, calendar ?? .max) }
        let next =
            if head.due > toldUntil {
                head.due.subtractingClamped(lead)
            } else if dueSoon.holds(Int64(head.timer)) {
                // For those that come behind it.
                toldUntil.subtractingClamped(lead)
            } else {
                head.due
            }
        return min(next, calendar ?? .max)
    }

    /// A pet as it is when all that was told of it has happened; its timer is told by nobody else from here on.
    func settled(_ pet: Pet?) throws(StoreError) -> Pet? {
        guard lead > 0, let pet, let timer = pet.timer, dueSoon.holds(pet.row) else { return pet }
        let told = dueSoon.withdraw(pet.row)
        withdrawn.append(pet.row)
        guard told != nil || time.lateness(timer) != nil else { return pet }
        try touch()
        try complete(pet.row)
        return try store.pet(row: pet.row)
    }
}
