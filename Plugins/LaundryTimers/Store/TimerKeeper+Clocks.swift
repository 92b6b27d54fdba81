/// What the clocks are worth, and what follows from it.
extension TimerKeeper {
    func lookAtClocks(_ now: Moment, _ isSynchronised: Bool) throws(StoreError) {
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
    func carePets() throws(StoreError) {
        guard time.trust > .implausible, !hasCared else {
            hasCared = time.trust > .implausible
            return
        }
        try store.transaction { () throws(StoreError) in try store.carePets(at: time.now.realtime) }
        hasCared = true
    }

    /// Whether what the store knows of the clocks is off: by a tenth of a second, or, where no time service has set the wall
    /// clock, by the time that has passed.
    var isClockNoteOld: Bool {
        let drift = time.now.offset.subtractingClamped(boot.offset)
        if drift.magnitude > 100_000_000 || boot.trust != time.trust { return true }
        return boot.trust < .synchronised && queue.count + calendar.queue.count > 0
            && time.now.boottime.subtractingClamped(boot.last) > Health.period
    }

    /// Reads all timers into the queue; those of other boots get their place in this one where it is known.
    func restore() throws(StoreError) {
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
