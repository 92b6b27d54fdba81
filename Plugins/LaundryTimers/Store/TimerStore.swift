import PluginKit

/// What the timers keep on disk: pets, running timers, finished ones on their way, and what is known of each boot.
///
/// WAL with synchronous=FULL: what a committed transaction wrote survives a cut of the power. The file is locked for as long as it is
/// open (locking_mode=EXCLUSIVE), so a second host is refused, and the lock is gone with the process.
///
/// Thread: worker, one call at a time.
final class TimerStore {
    let database: Database
    private let index = TimerIndex()
    private var statements: [Statement] = []

    init(_ path: String, vfs: String? = nil) throws(StoreError) {
        database = try Database(path, vfs: vfs)
        try database.execute("PRAGMA locking_mode = EXCLUSIVE")
        // The first that looks into the file: damage and other owners are found here.
        try database.execute("PRAGMA journal_mode = WAL")
        // 64 MB of cache at most: what a million pets need to be found in any order; a small store takes what it has.
        try database.execute("PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -64000")
        // 16 MB of log: a page that many transactions change goes into the file once.
        try database.execute("PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 16777216")
        try database.execute("BEGIN IMMEDIATE")
        if try database.number("SELECT count(*) FROM sqlite_schema") == 0 {
            try database.execute(StoreQuery.schema)
        }
        let id = try database.number("PRAGMA application_id")
        var version = try database.number("PRAGMA user_version")
        guard id == StoreQuery.applicationID else {
            throw .damaged("it is a database of another program (application id \(id))")
        }
        if let step = StoreQuery.steps[version] {
            do throws(StoreError) {
                try database.execute(step)
            } catch {
                throw error.isOfContent
                    ? .damaged("it is of version \(version), and not whole: \(error.message)") : error
            }
            version = try database.number("PRAGMA user_version")
        }
        guard version == StoreQuery.version else {
            throw StoreError(
                code: 1, message: "it has version \(version); this plugin knows \(StoreQuery.version): use a newer one")
        }
        try database.execute("COMMIT")
        try database.define("timer_of") { [index] pet in index[pet] }
        var statements: [Statement] = []
        for query in StoreQuery.allCases {
            do throws(StoreError) {
                statements.append(try database.prepare(query.sql))
            } catch {
                // All are right for the schema of this version.
                throw error.isBusy
                    ? error : .damaged("its tables are not those of version \(version): \(error.message)")
            }
        }
        self.statements = statements
        try fillIndex()
    }

    private func fillIndex() throws(StoreError) {
        let query = statement(.timerRows)
        defer { query.reset() }
        while try query.next() {
            let (pet, start) = (query.int(0), query.int(1))
            guard (1..<DueQueue.limit).contains(pet), start != 0, index[pet] == nil else {
                throw .damaged("timer \(start) is of pet row \(pet), which is no row or has another")
            }
            index.set(pet, start)
            index.commit()
        }
    }

    /// Lets go of the file. The last reference does so, too.
    func close() {
        statements = []
        database.close()
    }

    func statement(_ query: StoreQuery) -> Statement { statements[query.rawValue] }

    /// All that `body` writes, or nothing of it.
    func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try statement(.begin).run()
        do throws(StoreError) {
            let result = try body()
            try statement(.commit).run()
            index.commit()
            return result
        } catch {
            index.rollback()
            // Some errors have ended it already; what was open of a failed commit must not stay.
            if database.isInTransaction { try? statement(.rollback).run() }
            throw error
        }
    }

    // MARK: Pets

    func pet(_ id: String) throws(StoreError) -> Pet? { try one(statement(.petByID).bind(1, id)) }

    func pet(row: Int64) throws(StoreError) -> Pet? { try one(statement(.petByRow).bind(1, row)) }

    func pets(after row: Int64, limit: Int) throws(StoreError) -> [Pet] {
        let query = statement(.pets).bind(1, row).bind(2, Int64(limit))
        defer { query.reset() }
        var pets: [Pet] = []
        while try query.next() { pets.append(try Self.pet(query)) }
        return pets
    }

    func count(_ query: StoreQuery) throws(StoreError) -> Int {
        let query = statement(query)
        defer { query.reset() }
        return try query.next() ? Int(query.int(0)) : 0
    }

    func add(_ pet: Pet) throws(StoreError) -> Int64 {
        try statement(.addPet).bind(1, pet.id).bind(2, pet.name).bind(3, pet.defaults.cycle)
            .bind(4, pet.defaults.wash).bind(5, pet.defaults.dry).bind(6, pet.hasSound ? 1 : 0)
            .bind(7, pet.rest.state.storedCode).bind(8, pet.rest.stage.storedCode).bind(9, pet.caredAt).run()
        return database.lastRow
    }

    /// Pets whose laundry went on while the clock showed a time that cannot be (before `ClockTrust.earliest`).
    func carePets(at realtime: Int64) throws(StoreError) { try statement(.carePets).bind(1, realtime).run() }

    func define(_ pet: Pet) throws(StoreError) {
        try statement(.definePet).bind(1, pet.row).bind(2, pet.name).bind(3, pet.defaults.cycle)
            .bind(4, pet.defaults.wash).bind(5, pet.defaults.dry).bind(6, pet.hasSound ? 1 : 0).run()
    }

    func remove(_ pet: Pet) throws(StoreError) {
        try statement(.dropFinished).bind(1, pet.row).run()
        try dropTimer(of: pet.row)
        try statement(.dropSchedules).bind(1, pet.row).run()
        try statement(.dropPet).bind(1, pet.row).run()
    }

    /// What has changed of a pet and its timer. A start and a stop are one row: the pet's own has what it is without its timer.
    func save(_ pet: Pet, was before: Pet) throws(StoreError) {
        let rest = pet.rest
        if rest != before.rest || pet.caredAt != before.caredAt {
            try statement(.updatePet).bind(1, pet.row).bind(2, rest.state.storedCode).bind(3, rest.stage.storedCode)
                .bind(4, pet.caredAt).run()
        }
        guard pet.timer != before.timer else { return }
        switch (before.timer, pet.timer) {
        case (nil, let timer?): try add(timer, of: pet.row)
        case (_?, nil): try dropTimer(of: pet.row)
        case (let old?, let timer?) where old.start != timer.start:
            try dropTimer(of: pet.row)
            try add(timer, of: pet.row)
        case (_?, let timer?): try update(timer)
        case (nil, nil): break
        }
    }

    private func add(_ timer: ActiveTimer, of row: Int64) throws(StoreError) {
        let run = StoredRun(timer.run)
        try statement(.addTimer).bind(1, timer.start).bind(2, row).bind(3, timer.kind.code).bind(4, run.status)
            .bind(5, run.boot).bind(6, run.due).bind(7, timer.startedAt).bind(8, timer.duration).run()
        index.set(row, timer.start)
    }

    private func dropTimer(of row: Int64) throws(StoreError) {
        guard let start = index[row] else { return }
        try statement(.dropTimer).bind(1, start).run()
        index.set(row, nil)
    }

    private func update(_ timer: ActiveTimer) throws(StoreError) {
        let run = StoredRun(timer.run)
        try statement(.updateTimer).bind(1, timer.start).bind(2, run.status).bind(3, run.boot).bind(4, run.due)
            .bind(5, timer.duration).run()
    }

    private func one(_ query: Statement) throws(StoreError) -> Pet? {
        defer { query.reset() }
        return try query.next() ? try Self.pet(query) : nil
    }

    private static func pet(_ row: Statement) throws(StoreError) -> Pet {
        let id = row.text(1)
        guard let state = PetState(storedCode: row.int(7)), let stage = Stage(storedCode: row.int(8)),
            (1..<DueQueue.limit).contains(row.int(0))
        else { throw .damaged("the row of pet \(id) has a number, state or stage that is none") }
        var pet = Pet(
            row: row.int(0), id: id, name: row.text(2),
            defaults: Pet.Defaults(cycle: row.int(3), wash: row.int(4), dry: row.int(5)), hasSound: row.int(6) != 0,
            state: state, stage: stage, caredAt: row.int(9))
        guard !row.isNull(10) else { return pet }
        guard let kind = TimerKind(code: row.int(11)),
            let run = StoredRun(status: row.int(12), boot: row.int(13), due: row.int(14)).run
        else { throw .damaged("the timer of pet \(id) has a kind or status that is none") }
        pet.timer = ActiveTimer(
            start: row.int(10), kind: kind, run: run, startedAt: row.int(15), duration: row.int(16),
            stateBefore: state, stageBefore: stage, attempts: row.int(17))
        pet.state = .running(kind)
        pet.stage = .running(kind, after: stage)
        return pet
    }
}

/// How a run is stored: one number says which, another when.
struct StoredRun {
    /// 0 elapsed, 1 wall, 2 elapsed and paused, 3 wall and paused: those held are above 1.
    var status: Int64
    /// 0 where it does not matter.
    var boot: Int64
    /// What is left, where it is paused.
    var due: Int64

    init(status: Int64, boot: Int64, due: Int64) {
        self.status = status
        self.boot = boot
        self.due = due
    }

    init(_ run: ActiveTimer.Run) {
        switch run {
        case .elapsed(let boot, let due): self.init(status: 0, boot: boot, due: due)
        case .wall(let boot, let due): self.init(status: 1, boot: boot, due: due)
        case .paused(.elapsed, let remaining): self.init(status: 2, boot: 0, due: remaining)
        case .paused(.wall, let remaining): self.init(status: 3, boot: 0, due: remaining)
        }
    }

    var run: ActiveTimer.Run? {
        switch status {
        case 0: .elapsed(boot: boot, due: due)
        case 1: .wall(boot: boot, due: due)
        case 2: .paused(.elapsed, remaining: due)
        case 3: .paused(.wall, remaining: due)
        default: nil
        }
    }
}
