/// What main may tell before it is committed.
extension TimerKeeper {
    /// So long before its end a timer is made ready; nanoseconds. Longer than a disk stalls that is well.
    static let usualLead: Int64 = 250_000_000

    /// Behind a round: notes in the store until when timers may be told before they are committed, where that is needed, and makes them
    /// ready.
    func makeReady() throws(StoreError) {
        guard lead > 0, !dueSoon.isClosed else { return }
        let soon = time.now.boottime.addingClamped(lead)
        var rows = changed
        if let head = queue.head(.boottime)?.due, head <= soon, toldUntil <= soon {
            var until = soon.addingClamped(lead)
            let due = queue.due(by: until, on: .boottime, most: DueSoon.most)
            if due.count == DueSoon.most, let last = due.last { until = max(toldUntil, last.due) }
            try store.transaction { () throws(StoreError) in try store.setToldUntil(until, boot: time.boot) }
            toldUntil = until
            rows += due.map { Int64($0.timer) }
        }
        var entries: [DueSoon.Entry] = []
        for row in dueSoon.missing(rows) {
            if let entry = try entry(row) { entries.append(entry) }
        }
        dueSoon.publish(entries)
        changed = []
    }

    private func entry(_ row: Int64) throws(StoreError) -> DueSoon.Entry? {
        guard let pet = try store.pet(row: row), case .elapsed(time.boot, let due)? = pet.timer?.run,
            due > time.now.boottime, due <= toldUntil
        else { return nil }
        var (done, end) = (pet, time)
        end.now = Moment(boottime: due, realtime: due.addingClamped(time.now.offset))
        return done.complete(end).map { DueSoon.Entry(due: due, open: TimerStore.OpenTimer($0, of: done)) }
    }

    /// The next moment at which the keeper has something to do on a clock: what main has ready it tells without it.
    func nextRound(_ line: DueQueue.Line) -> Int64? {
        let calendar = calendar.queue.head(line)?.due
        guard let head = queue.head(line) else { return calendar }
        guard line == .boottime, lead > 0 else { return min(head.due, calendar ?? .max) }
        let next =
            if head.due > toldUntil {
                head.due.subtractingClamped(lead)
            } else if dueSoon.isPending(Int64(head.timer)) {
                // For those that come behind it.
                toldUntil.subtractingClamped(lead)
            } else {
                head.due
            }
        return min(next, calendar ?? .max)
    }

    /// A pet as all the world knows it: its timer is over when that was told, or is due.
    func upToDate(_ pet: Pet?) throws(StoreError) -> Pet? {
        guard lead > 0, let pet, let timer = pet.timer else { return pet }
        guard time.lateness(timer) != nil || dueSoon.toldAt(pet.row, timer.start) != nil else { return pet }
        _ = dueSoon.withdraw(pet.row, timer.start)
        try touch()
        try complete(pet.row)
        return try store.pet(row: pet.row)
    }
}
