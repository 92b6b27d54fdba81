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
    private(set) var queue = DueQueue()
    private(set) var time: Timekeeping
    private(set) var waiting: Set<Int64> = []
    /// What comes again: few, so all of them are here, too, as the transaction that runs has them.
    var calendar: ScheduleBook
    /// What main tells without waiting for its commit.
    let dueSoon: DueSoon
    /// How long before its end a timer is made ready for that; 0: none is.
    let lead: Int64
    /// Boottime; the store knows that timers due up to it may have been told.
    var toldUntil: Int64 = 0
    /// Pets whose timers main lost to an order, and may have again. By row.
    var withdrawn: [Int64] = []
    /// Pets whose timers were told, and are over in the transaction that runs.
    private var settled: [Int64] = []
    private let bootID: String
    private var boot: BootRecord
    /// The wall clock at the end of the boot before.
    private let seen: Int64?
    var number: Int64 = 1
    var edits: [QueueEdit] = []
    var round = Round()
    /// What was committed in a call that then failed: it goes with the next one, and is lost by none.
    private var unsent = Round()
    private var hasTouched = false
    /// Since those were pruned that nobody needs any more.
    var acknowledged = 0
    private static let pruneAfter = 1000
    /// What an earlier host completed and did not hand on is handed on in the first round.
    private var isFirst = true
    /// Whether the pets' times are those of a clock that is worth something.
    private var hasCared = false

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
            let redeliveries = try store.count(.countResent) + store.countTold()
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

    private func lookAtClocks(_ now: Moment, _ isSynchronised: Bool) throws(StoreError) {
        time.now = now
        let trust = ClockTrust.judge(realtime: now.realtime, isSynchronised: isSynchronised, seen: seen)
        let before = time.trust
        guard trust != before else { return }
        time.trust = trust
        guard !time.past.isEmpty else { return }
        do throws(StoreError) {
            try restore()
        } catch {
            // Tried again with the next call.
            time.trust = before
            throw error
        }
    }

    /// Nobody knows how long ago a clock showed 1970, so what it dated is as of now: a new board's pets are not neglected when it is set.
    private func carePets() throws(StoreError) {
        guard time.trust > .implausible, !hasCared else {
            hasCared = time.trust > .implausible
            return
        }
        try store.transaction { () throws(StoreError) in try store.carePets(at: time.now.realtime) }
        hasCared = true
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
        dueSoon.clear(forGood: true)
        try commit { () throws(StoreError) in
            let told = dueSoon.told
            if !told.isEmpty { try touch() }
            for row in told { try complete(row) }
            for order in orders where order.isNote { _ = try answer(order) }
            if toldUntil > 0 { try store.setToldUntil(0, boot: time.boot) }
        }
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

    /// Whether what the store knows of the clocks is off: by a tenth of a second, or, where no time service has set the wall
    /// clock, by the time that has passed.
    var isClockNoteOld: Bool {
        let drift = time.now.offset.subtractingClamped(boot.offset)
        if drift.magnitude > 100_000_000 || boot.trust != time.trust { return true }
        return boot.trust < .synchronised && queue.count + calendar.queue.count > 0
            && time.now.boottime.subtractingClamped(boot.last) > Health.period
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

    func complete(_ row: Int64) throws(StoreError) {
        let toldAt = dueSoon.withdraw(row)
        if toldAt != nil { settled.append(row) }
        var end = time
        end.now = toldAt ?? time.now
        let stored = try store.pet(row: row)
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
        let before = (number, boot, round, calendar, toldUntil)
        edits.removeAll(keepingCapacity: true)
        settled = []
        hasTouched = false
        let ready: [DueSoon.Entry]
        do throws(StoreError) {
            ready = try store.transaction { () throws(StoreError) in
                try body()
                if number != before.0 { try store.setNextNumber(number) }
                if acknowledged >= Self.pruneAfter { try store.prune() }
                return try makeReady()
            }
            if acknowledged >= Self.pruneAfter { acknowledged = 0 }
        } catch {
            (number, boot, round, calendar, toldUntil) = before
            edits = []
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
        dueSoon.settle(settled)
        withdrawn = []
        dueSoon.publish(ready)
    }

    private func enqueue(_ row: Int64, _ run: ActiveTimer.Run) {
        waiting.remove(row)
        switch time.place(run) {
        case .line(let line, let due): queue.set(UInt32(truncatingIfNeeded: row), due: due, on: line)
        case .paused: queue.cancel(UInt32(truncatingIfNeeded: row))
        case .waitingForClock:
            queue.cancel(UInt32(truncatingIfNeeded: row))
            waiting.insert(row)
        }
    }

    /// Reads all timers into the queue; those of other boots get their place in this one where it is known.
    private func restore() throws(StoreError) {
        let time = time
        let settlements = time.past.keys.sorted().compactMap { boot in time.settlement(of: boot).map { (boot, $0) } }
        if !settlements.isEmpty {
            let (target, before) = (time.boot, boot)
            hasTouched = false
            do throws(StoreError) {
                try store.transaction { () throws(StoreError) in
                    var count = 0
                    for (boot, shift) in settlements { count += try store.settle(boot, into: target, by: shift) }
                    // What they were settled by is what the next boot knows of this one.
                    if count > 0 { try touch() }
                }
            } catch {
                boot = before
                throw error
            }
        }
        var entries: [(DueQueue.Line, DueQueue.Entry)] = []
        entries.reserveCapacity(try store.count(.countTimers))
        var waiting: Set<Int64> = []
        try store.eachTimer { (row, run) throws(StoreError) in
            if case .elapsed(let boot, _) = run, boot != time.boot, time.past[boot] == nil {
                throw .damaged("the timer of pet row \(row) is of a boot that nobody knows")
            }
            switch time.place(run) {
            case .line(let line, let due):
                entries.append((line, DueQueue.Entry(due: due, timer: UInt32(truncatingIfNeeded: row))))
            case .waitingForClock: waiting.insert(row)
            case .paused: break
            }
        }
        calendar.fill(try store.schedules(), time)
        self.waiting = waiting
        queue = DueQueue(entries)
    }
}
