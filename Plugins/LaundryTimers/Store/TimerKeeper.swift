import PluginKit

/// All timers: the store, and the queue that says which is due next.
///
/// The store is the truth. An order reads a pet, lets it decide (`Pet`), and writes what has changed; the queue follows when the
/// transaction is committed, and not at all when it failed. So a kill at any moment leaves what was committed before.
///
/// Thread: worker, one call at a time.
final class TimerKeeper {
    /// What came of one call of `perform`; all of it is in the store.
    struct Round {
        var answers: [Result<TimerAnswer, PluginError>] = []
        /// To be handed on now.
        var deliveries: [TimerStore.OpenTimer] = []
        /// Whose notifications are to be closed.
        var settled: [Settled] = []
        /// Timers of which the queue had another end than the store; it never should.
        var mismatches = 0
        /// An order has changed what runs, or what is over.
        var hasChanged = false
        /// Timers are over, told already or not.
        var hasCompleted = false
    }

    enum QueueEdit {
        case set(Int64, ActiveTimer.Run)
        case cancel(Int64)
    }

    /// Completions in one transaction, so that a crowd does not keep commands waiting for ever.
    static let crowd = 10_000

    let store: TimerStore
    var policy: TimerPolicy
    /// Finished timers that were handed on more than once.
    let redeliveries: Int
    /// Where a damaged store was put.
    private(set) var setAside: String?
    var queue = DueQueue()
    var time: Timekeeping
    var waiting: Set<Int64> = []
    /// What comes again: few, so all of them are here, too, as the transaction that runs has them.
    var calendar: ScheduleBook
    /// What main tells without waiting for its commit.
    let dueSoon: DueSoon
    /// How long before its end a timer is made ready for that; 0: none is.
    let lead: Int64
    /// Boottime; the store knows that timers due up to it may have been told.
    var toldUntil: Int64 = 0
    /// Pets whose timers orders gave an end up to then since some were made ready; by row.
    var changed: [Int64] = []
    private let bootID: String
    var boot: BootRecord
    /// The wall clock at the end of the boot before.
    let seen: Int64?
    var number: Int64 = 1
    var edits: [QueueEdit] = []
    var round = Round()
    /// What was committed in a call that then failed: it goes with the next one, and is lost by none.
    private var unsent = Round()
    var hasTouched = false
    /// Since those were pruned that nobody needs any more.
    var acknowledged = 0
    private static let pruneAfter = 1000
    /// What an earlier host completed and did not hand on is handed on in the first round.
    private var isFirst = true
    /// Whether the pets' times are those of a clock that is worth something.
    var hasCared = false

    /// Restores everything. What became due meanwhile is completed by the first `perform`.
    init(
        _ store: TimerStore, bootID: String, now: Moment, isSynchronised: Bool, policy: TimerPolicy = TimerPolicy(),
        zone: String = "UTC", dueSoon: DueSoon = DueSoon(), lead: Int64 = 0
    ) throws(StoreError) {
        self.store = store
        self.dueSoon = dueSoon
        self.lead = lead
        self.bootID = bootID
        self.policy = policy
        let boots = try store.boots()
        let others = boots.filter { $0.uuid != bootID }
        // What a clock showed that was worth nothing says nothing.
        let seen = others.last { $0.record.trust > .implausible }?.record.seen
        let trust = ClockTrust.judge(realtime: now.realtime, isSynchronised: isSynchronised, seen: seen)
        self.seen = seen
        var record =
            boots.first { $0.uuid == bootID }?.record ?? BootRecord(row: 0, offset: 0, trust: .implausible, last: 0)
        record.offset = now.offset
        record.trust = trust
        record.last = now.boottime
        let isNew = record.row == 0
        let (row, redeliveries) = try store.transaction { () throws(StoreError) -> (Int64, Int) in
            try store.prune()
            // Each is handed on once more now. Whether it was before nobody knows, but where a host ended in order.
            try store.statement(.handOn).run()
            let redeliveries = try store.count(.countResent) + store.countTold(record.row, now: now.boottime)
            guard isNew else {
                try store.update(record)
                return (record.row, redeliveries)
            }
            try store.dropBoots()
            return (try store.addBoot(bootID, record), redeliveries)
        }
        self.redeliveries = redeliveries
        record.row = row
        boot = record
        calendar = ScheduleBook(zone: zone)
        time = Timekeeping(
            now: now, boot: row, trust: trust,
            past: Dictionary(others.map { ($0.record.row, $0.record) }) { first, _ in first })
        number = try store.nextNumber()
        try restore()
    }

    /// In the place of a store that was damaged: its numbers, which nobody knows, are not used again. They count starts, of which there
    /// was none each second.
    func takePlace(of aside: String) throws(StoreError) {
        setAside = aside
        number = max(number, time.now.realtime / 1_000_000_000)
        try store.transaction { () throws(StoreError) in try store.setNextNumber(number) }
    }

    /// The next moment something is due on a clock.
    func head(_ line: DueQueue.Line) -> Int64? {
        [queue.head(line)?.due, calendar.queue.head(line)?.due].compactMap { $0 }.min()
    }

    /// Completes what is due, then does what is asked, and commits.
    /// - Throws: what the store said; nothing of the orders was done then, and the caller may try again.
    func perform(
        _ orders: [TimerOrder], at now: Moment, isSynchronised: Bool, zone: String = "UTC"
    ) throws(StoreError) -> Round {
        round = unsent
        do throws(StoreError) {
            try lookAtClocks(now, isSynchronised)
            try carePets()
            try follow(zone)
            try completeWhatIsDue()
            if !orders.isEmpty {
                try commit { () throws(StoreError) in
                    for order in orders { round.answers.append(try answer(order)) }
                }
                round.hasChanged = round.hasChanged || !edits.isEmpty || !round.settled.isEmpty
            }
        } catch {
            unsent = round
            throw error
        }
        unsent = Round()
        return round
    }

    private func completeWhatIsDue() throws(StoreError) {
        let before = round.deliveries.count
        if isFirst {
            round.deliveries += aged(try store.untoldTimers())
            isFirst = false
        }
        while isDue {
            let (rows, schedules) = (dueSoon.withoutPending(dueRows()), calendar.due(time))
            guard !rows.isEmpty || !schedules.isEmpty else { break }
            try commit { () throws(StoreError) in
                try touch()
                for row in rows { try complete(row) }
                for schedule in schedules { try fire(schedule) }
            }
        }
        guard round.deliveries.count > before else { return }
        // Of two clocks and of schedules; each by itself is in its order already.
        round.deliveries.sort { ($0.timer.finishedAt, $0.timer.start) < ($1.timer.finishedAt, $1.timer.start) }
    }

    /// Commits what the plugin has to say at its end, and what was told; what else is due by now is left for the next start.
    func note(_ orders: [TimerOrder]) throws(StoreError) {
        dueSoon.close()
        try commit { () throws(StoreError) in
            for row in dueSoon.told { _ = try upToDate(try store.pet(row: row)) }
            for order in orders where order.isNote { _ = try answer(order) }
            try store.markUnsent(unsent.deliveries.map(\.timer.start))
            if toldUntil > 0 { try store.setToldUntil(0, boot: time.boot) }
        }
        toldUntil = 0
    }

    /// Before the first write of a transaction: what the clocks show now goes with it.
    func touch() throws(StoreError) {
        guard !hasTouched else { return }
        hasTouched = true
        boot.offset = time.now.offset
        boot.trust = time.trust
        boot.last = max(boot.last, time.now.boottime)
        try store.update(boot)
    }

    private var isDue: Bool {
        head(.boottime).map { $0 <= time.now.boottime } == true
            || head(.realtime).map { $0 <= time.now.realtime } == true
    }

    private func dueRows() -> [Int64] {
        DueQueue.Line.allCases.flatMap { line in
            let now = line == .boottime ? time.now.boottime : time.now.realtime
            return queue.due(by: now, on: line, most: Self.crowd).map { Int64($0.timer) }
        }
    }

    /// What main has not told of is to be told when it is committed.
    func complete(_ row: Int64) throws(StoreError) {
        let stored = try store.pet(row: row)
        let toldAt = stored?.timer.flatMap { dueSoon.toldAt(row, $0.start) }
        if toldAt != nil { dueSoon.complete(row) }
        var end = time
        end.now = toldAt ?? time.now
        var completed = stored
        guard let finished = completed?.complete(end), let before = stored, let pet = completed else {
            // The store is right, and the queue follows it.
            round.mismatches += 1
            edits.append(stored?.timer.map { .set(row, $0.run) } ?? .cancel(row))
            return
        }
        try store.save(pet, was: before)
        try store.add(finished)
        edits.append(.cancel(row))
        round.hasCompleted = true
        if toldAt == nil { round.deliveries.append(TimerStore.OpenTimer(finished, of: pet)) }
    }

    /// One transaction. The queue follows it; where it fails nothing has changed.
    func commit(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        let before = (number, boot, round, calendar)
        edits.removeAll(keepingCapacity: true)
        hasTouched = false
        do throws(StoreError) {
            try store.transaction { () throws(StoreError) in
                try body()
                if number != before.0 { try store.setNextNumber(number) }
                if acknowledged >= Self.pruneAfter { try store.prune() }
            }
            if acknowledged >= Self.pruneAfter { acknowledged = 0 }
        } catch {
            (number, boot, round, calendar) = before
            edits = []
            dueSoon.rollback()
            throw error
        }
        for edit in edits {
            switch edit {
            case .cancel(let row):
                queue.cancel(UInt32(truncatingIfNeeded: row))
                waiting.remove(row)
            case .set(let row, let run): enqueue(row, run)
            }
        }
        dueSoon.commit()
    }

    private func enqueue(_ row: Int64, _ run: ActiveTimer.Run) {
        waiting.remove(row)
        switch time.place(run) {
        case .line(let line, let due):
            queue.set(UInt32(truncatingIfNeeded: row), due: due, on: line)
            if line == .boottime, lead > 0, due <= toldUntil { changed.append(row) }
        case .paused: queue.cancel(UInt32(truncatingIfNeeded: row))
        case .waitingForClock:
            queue.cancel(UInt32(truncatingIfNeeded: row))
            waiting.insert(row)
        }
    }
}
