/// What is known of this boot and of those before it.
extension TimerStore {
    func boots() throws(StoreError) -> [(uuid: String, record: BootRecord)] {
        let query = statement(.boots)
        defer { query.reset() }
        var boots: [(String, BootRecord)] = []
        while try query.next() {
            boots.append(
                (
                    query.text(1),
                    BootRecord(
                        row: query.int(0), offset: query.int(2), trust: ClockTrust(code: query.int(3)),
                        last: query.int(4))
                ))
        }
        return boots
    }

    func addBoot(_ uuid: String, _ record: BootRecord) throws(StoreError) -> Int64 {
        try statement(.addBoot).bind(1, uuid).bind(2, record.offset).bind(3, record.trust.code)
            .bind(4, record.last).run()
        return database.lastRow
    }

    func update(_ record: BootRecord) throws(StoreError) {
        try statement(.updateBoot).bind(1, record.row).bind(2, record.offset).bind(3, record.trust.code)
            .bind(4, record.last).run()
    }

    /// Those of which no timer is left, but for the newest, and the newest whose clock was worth something.
    func dropBoots() throws(StoreError) { try statement(.dropBoots).run() }

    /// The elapsed timers of one boot become those of another, those of schedules, too.
    /// - Returns: how many.
    func settle(_ boot: Int64, into target: Int64, by shift: Int64) throws(StoreError) -> Int {
        var count = 0
        for query in [StoreQuery.settleTimers, .settleSchedules] {
            try statement(query).bind(1, target).bind(2, shift).bind(3, boot).run()
            count += database.changes
        }
        return count
    }

    /// All rows of timers, as few columns as the queue needs.
    func eachTimer(_ body: (_ pet: Int64, _ run: ActiveTimer.Run) throws(StoreError) -> Void) throws(StoreError) {
        let query = statement(.timers)
        defer { query.reset() }
        while try query.next() {
            guard let run = StoredRun(status: query.int(1), boot: query.int(2), due: query.int(3)).run else {
                throw .damaged("the timer of pet row \(query.int(0)) has a status that is none")
            }
            try body(query.int(0), run)
        }
    }

    /// The number of the next start: none is used twice.
    func nextNumber() throws(StoreError) -> Int64 {
        let (number, last) = (Int64(try count(.number)), Int64(try count(.lastStart)))
        guard number > last, number < Int64.max / 2 else {
            throw .damaged("the next start is to have number \(number), and the last one had \(last)")
        }
        return number
    }

    func setNextNumber(_ number: Int64) throws(StoreError) { try statement(.setNumber).bind(1, number).run() }
}
