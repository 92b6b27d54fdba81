/// Finished timers: due -> delivered -> acknowledged.
extension TimerStore {
    /// One that nobody has acknowledged, with what is told of it.
    struct OpenTimer: Sendable, Equatable {
        var timer: FinishedTimer
        var isDelivered: Bool
        /// Its event was posted.
        var isTold = false
        var petID: String
        var petName: String
        var hasSound: Bool
        var nextStep: NextStep?
        /// The name of what it came from, where that is still there.
        var schedule: String?
        /// How long it has been over when it is handed on, nanoseconds.
        var age: Int64 = 0
        /// Somebody is done with it before it was told.
        var isSilent = false

        /// The same for every attempt, so whoever gets it twice can know.
        var key: String { "\(petID)/\(timer.start)" }
    }

    /// Counts the timers that hosts before this one may have told and did not commit: the next attempt is not their first.
    /// - Parameter now: of this boot, whose row it is: what is not over yet nobody was told of.
    /// - Returns: how many it found now.
    func countTold(_ boot: Int64, now: Int64) throws(StoreError) -> Int {
        var count = 0
        for (itsBoot, until) in try toldUntil() {
            try statement(.countTold).bind(1, itsBoot).bind(2, itsBoot == boot ? min(until, now) : until).run()
            count += database.changes
            try setToldUntil(0, boot: itsBoot)
        }
        return count
    }

    /// By row of boot.
    private func toldUntil() throws(StoreError) -> [(Int64, Int64)] {
        let query = statement(.toldUntil)
        defer { query.reset() }
        var found: [(Int64, Int64)] = []
        while try query.next() { found.append((query.int(0), query.int(1))) }
        return found
    }

    /// Timers of a boot that are due up to a moment may be told before they are committed.
    func setToldUntil(_ boottime: Int64, boot: Int64) throws(StoreError) {
        try statement(.setToldUntil).bind(1, boot).bind(2, boottime).run()
    }

    func add(_ timer: FinishedTimer) throws(StoreError) {
        try statement(.addFinished).bind(1, timer.start).bind(2, timer.pet).bind(3, timer.kind.code)
            .bind(4, timer.startedAt).bind(5, timer.duration).bind(6, timer.finishedAt).bind(7, timer.late)
            .bind(8, timer.attempts).bind(9, timer.schedule).bind(10, timer.missed).run()
    }

    func markTold(_ starts: [Int64]) throws(StoreError) {
        for start in starts { try statement(.markTold).bind(1, start).run() }
    }

    /// What counted as handed on was not.
    func markUnsent(_ starts: [Int64]) throws(StoreError) {
        for start in starts { try statement(.markUnsent).bind(1, start).run() }
    }

    /// Those that nobody has acknowledged, in the order of their numbers.
    func openTimers(after start: Int64 = 0, limit: Int) throws(StoreError) -> [OpenTimer] {
        try timers(statement(.openFinished).bind(1, start).bind(2, Int64(limit)))
    }

    /// Those that are to be handed on still, in the order in which they were due; what somebody is done with among them is told, and not
    /// shown.
    func untoldTimers() throws(StoreError) -> [OpenTimer] { try timers(statement(.untoldFinished)) }

    private func timers(_ query: Statement) throws(StoreError) -> [OpenTimer] {
        defer { query.reset() }
        var timers: [OpenTimer] = []
        while try query.next() {
            guard let kind = TimerKind(code: query.int(2)), let state = PetState(storedCode: query.int(12)),
                let stage = Stage(storedCode: query.int(13))
            else { throw .damaged("finished timer \(query.int(0)) has a kind, state or stage that is none") }
            timers.append(
                OpenTimer(
                    timer: FinishedTimer(
                        start: query.int(0), pet: query.int(1), kind: kind, startedAt: query.int(3),
                        duration: query.int(4), finishedAt: query.int(5), late: query.int(6), attempts: query.int(7),
                        schedule: query.int(15), missed: query.int(16)),
                    isDelivered: query.int(8) == 1, isTold: query.int(14) != 0, petID: query.text(9),
                    petName: query.text(10), hasSound: query.int(11) != 0, nextStep: NextStep(state, stage),
                    schedule: query.isNull(17) ? nil : query.text(17), isSilent: query.int(8) == 3))
        }
        return timers
    }

    func markDelivered(_ starts: [Int64]) throws(StoreError) {
        for start in starts { try statement(.markDelivered).bind(1, start).run() }
    }

    /// - Returns: whether it was open.
    func acknowledge(_ start: Int64, of pet: Int64) throws(StoreError) -> Bool {
        try statement(.acknowledge).bind(1, start).bind(2, pet).run()
        return database.changes > 0
    }

    /// - Returns: how many were open.
    func acknowledgeAll(of pet: Int64) throws(StoreError) -> Int {
        try statement(.acknowledgePet).bind(1, pet).run()
        return database.changes
    }

    /// Open moments of a pet's schedules, but for so many of the newest.
    func outgrownMoments(of pet: Int64, beyond most: Int) throws(StoreError) -> [Int64] {
        let query = statement(.outgrownMoments).bind(1, pet).bind(2, Int64(most))
        defer { query.reset() }
        var starts: [Int64] = []
        while try query.next() { starts.append(query.int(0)) }
        return starts
    }

    /// What the newest open one of a pet was for.
    func newestFinished(of pet: Int64) throws(StoreError) -> TimerKind? {
        let query = statement(.finishedOf).bind(1, pet)
        defer { query.reset() }
        return try query.next() ? TimerKind(code: query.int(0)) : nil
    }

    /// Pets whose timer is paused.
    func heldRows(_ limit: Int) throws(StoreError) -> [Int64] {
        let query = statement(.heldTimers).bind(1, Int64(limit))
        defer { query.reset() }
        var rows: [Int64] = []
        while try query.next() { rows.append(query.int(0)) }
        return rows
    }

    /// Those that were acknowledged long ago.
    func prune() throws(StoreError) { try statement(.prune).run() }
}

extension TimerStore.OpenTimer {
    /// As it is handed on when it is over.
    init(_ timer: FinishedTimer, of pet: Pet) {
        self.init(
            timer: timer, isDelivered: false, petID: pet.id, petName: pet.name, hasSound: pet.hasSound,
            nextStep: pet.nextStep, age: timer.late)
    }
}
