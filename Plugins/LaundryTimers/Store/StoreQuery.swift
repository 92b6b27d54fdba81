/// The statements of the store; each is prepared once.
enum StoreQuery: Int, CaseIterable {
    case begin, commit, rollback
    case boots, addBoot, updateBoot, dropBoots, toldUntil, setToldUntil, countTold
    case carePets, petByID, petByRow, pets, countPets, addPet, definePet, updatePet, dropPet
    case timers, timerRows, heldTimers, countTimers, countHeld, addTimer, updateTimer, dropTimer, settleTimers
    case addFinished, outgrownMoments, openFinished, untoldFinished, finishedOf, countFinished, handOn, markTold,
        markUnsent,
        markDelivered,
        acknowledge, acknowledgePet, prune, dropFinished, countResent, countUndelivered
    case schedules, putSchedule, updateSchedule, dropSchedule, dropSchedules, settleSchedules
    case number, setNumber, lastStart

    static let schema = """
        CREATE TABLE boots(
            id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, shift INTEGER NOT NULL, trusted INTEGER NOT NULL,
            last INTEGER NOT NULL, told_until INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE pets(
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, display TEXT NOT NULL, cycle INTEGER NOT NULL,
            wash INTEGER NOT NULL, dry INTEGER NOT NULL, sound INTEGER NOT NULL, state INTEGER NOT NULL,
            stage INTEGER NOT NULL, cared INTEGER NOT NULL);
        CREATE INDEX uncared ON pets(id) WHERE cared < 1735689600000000000;
        \(timerTable)
        CREATE TABLE outbox(
            start INTEGER PRIMARY KEY, pet INTEGER NOT NULL, kind INTEGER NOT NULL, started INTEGER NOT NULL,
            duration INTEGER NOT NULL, finished INTEGER NOT NULL, late INTEGER NOT NULL, state INTEGER NOT NULL,
            attempts INTEGER NOT NULL, told INTEGER NOT NULL, schedule INTEGER NOT NULL, missed INTEGER NOT NULL);
        CREATE INDEX open ON outbox(start) WHERE state < 2;
        CREATE INDEX open_of_pet ON outbox(pet) WHERE state < 2;
        CREATE TABLE schedules(
            id INTEGER PRIMARY KEY, pet INTEGER NOT NULL, name TEXT NOT NULL, kind INTEGER NOT NULL, rule TEXT NOT NULL,
            span INTEGER NOT NULL, status INTEGER NOT NULL, boot INTEGER NOT NULL, due INTEGER NOT NULL,
            UNIQUE(pet, name));
        CREATE TABLE numbers(id INTEGER PRIMARY KEY, value INTEGER NOT NULL);
        INSERT INTO numbers VALUES (0, 1);
        PRAGMA application_id = 1298692204;
        PRAGMA user_version = 3;
        """

    /// In the order of the starts; `TimerIndex` knows the row of each pet's.
    private static let timerTable = """
        CREATE TABLE timers(
            start INTEGER PRIMARY KEY, pet INTEGER NOT NULL, kind INTEGER NOT NULL, status INTEGER NOT NULL,
            boot INTEGER NOT NULL, due INTEGER NOT NULL, started INTEGER NOT NULL, duration INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0);
        CREATE INDEX held ON timers(pet) WHERE status > 1;
        """

    /// From a version to this one.
    static let steps: [Int64: String] = [1: fromVersion1, 2: fromVersion2]

    /// Version 1 had the timers in the order of the pets.
    private static let fromVersion1 = """
        DROP INDEX IF EXISTS held;
        ALTER TABLE timers RENAME TO timers_1;
        \(timerTable)
        INSERT INTO timers SELECT start, pet, kind, status, boot, due, started, duration, 0 FROM timers_1;
        DROP TABLE timers_1;
        \(toldUntilColumn)
        PRAGMA user_version = 3;
        """

    /// Version 2 told nothing before it was committed.
    private static let fromVersion2 = """
        ALTER TABLE timers ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
        \(toldUntilColumn)
        PRAGMA user_version = 3;
        """
    private static let toldUntilColumn = "ALTER TABLE boots ADD COLUMN told_until INTEGER NOT NULL DEFAULT 0;"

    /// "Mhtl", so that `file` and this program know it again.
    static let applicationID: Int64 = 1_298_692_204
    static let version: Int64 = 3

    private static let pet = """
        SELECT p.id, p.name, p.display, p.cycle, p.wash, p.dry, p.sound, p.state, p.stage, p.cared, t.start, t.kind, \
        t.status, t.boot, t.due, t.started, t.duration, t.attempts \
        FROM pets p LEFT JOIN timers t ON t.start = timer_of(p.id)
        """

    /// The state of a finished timer: 0 due, 1 delivered, 2 acknowledged, 3 acknowledged before anybody was told of it.
    private static let finished = """
        SELECT o.start, o.pet, o.kind, o.started, o.duration, o.finished, o.late, o.attempts, o.state, p.name, \
        p.display, p.sound, p.state, p.stage, o.told, o.schedule, o.missed, s.name FROM outbox o \
        JOIN pets p ON p.id = o.pet LEFT JOIN schedules s ON s.id = o.schedule
        """
    private static let acknowledged = "UPDATE outbox SET state = CASE WHEN state = 0 AND told = 0 THEN 3 ELSE 2 END"

    var sql: String {
        switch self {
        case .begin: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .rollback: "ROLLBACK"
        case .boots: "SELECT id, uuid, shift, trusted, last FROM boots ORDER BY id"
        case .addBoot: "INSERT INTO boots(uuid, shift, trusted, last) VALUES (?, ?, ?, ?)"
        case .updateBoot: "UPDATE boots SET shift = ?2, trusted = ?3, last = ?4 WHERE id = ?1"
        case .dropBoots:
            "DELETE FROM boots WHERE id NOT IN (SELECT boot FROM timers WHERE status < 2) AND id NOT IN (SELECT boot FROM schedules) AND id <> (SELECT max(id) FROM boots) AND id <> ifnull((SELECT max(id) FROM boots WHERE trusted > 0), 0)"
        case .toldUntil: "SELECT id, told_until FROM boots WHERE told_until <> 0"
        case .setToldUntil: "UPDATE boots SET told_until = ?2 WHERE id = ?1"
        case .countTold: "UPDATE timers SET attempts = attempts + 1 WHERE status = 0 AND boot = ?1 AND due <= ?2"
        case .carePets: "UPDATE pets SET cared = ? WHERE cared < 1735689600000000000"
        case .petByID: "\(Self.pet) WHERE p.name = ?"
        case .petByRow: "\(Self.pet) WHERE p.id = ?"
        case .pets: "\(Self.pet) WHERE p.id > ?1 ORDER BY p.id LIMIT ?2"
        case .countPets: "SELECT count(*) FROM pets"
        case .addPet:
            "INSERT INTO pets(name, display, cycle, wash, dry, sound, state, stage, cared) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        case .definePet: "UPDATE pets SET display = ?2, cycle = ?3, wash = ?4, dry = ?5, sound = ?6 WHERE id = ?1"
        case .updatePet: "UPDATE pets SET state = ?2, stage = ?3, cared = ?4 WHERE id = ?1"
        case .dropPet: "DELETE FROM pets WHERE id = ?"
        case .timers: "SELECT pet, status, boot, due FROM timers"
        case .timerRows: "SELECT pet, start FROM timers"
        case .heldTimers: "SELECT pet FROM timers WHERE status > 1 ORDER BY pet LIMIT ?"
        case .countTimers: "SELECT count(*) FROM timers"
        case .countHeld: "SELECT count(*) FROM timers WHERE status > 1"
        case .settleTimers: "UPDATE timers SET boot = ?1, due = due + ?2 WHERE status = 0 AND boot = ?3"
        case .addTimer: "INSERT INTO timers VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)"
        case .updateTimer: "UPDATE timers SET status = ?2, boot = ?3, due = ?4, duration = ?5 WHERE start = ?1"
        case .dropTimer: "DELETE FROM timers WHERE start = ?"
        case .addFinished: "INSERT INTO outbox VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, 0, ?, ?)"
        case .outgrownMoments:
            "SELECT start FROM outbox WHERE pet = ?1 AND schedule <> 0 AND state < 2 ORDER BY start DESC LIMIT -1 OFFSET ?2"
        case .openFinished: "\(Self.finished) WHERE o.state < 2 AND o.start > ?1 ORDER BY o.start LIMIT ?2"
        case .untoldFinished: "\(Self.finished) WHERE o.state IN (0, 3) ORDER BY o.finished, o.start"
        case .finishedOf: "SELECT kind FROM outbox WHERE pet = ? AND state < 2 ORDER BY start DESC LIMIT 1"
        case .countFinished: "SELECT count(*) FROM outbox WHERE state < 2"
        case .handOn: "UPDATE outbox SET attempts = attempts + 1 WHERE state IN (0, 3) AND told = 0"
        case .countUndelivered: "SELECT count(*) FROM outbox WHERE state IN (0, 3)"
        case .markTold:
            "UPDATE outbox SET told = 1, state = CASE state WHEN 3 THEN 2 ELSE 0 END WHERE start = ? AND state IN (0, 3)"
        case .markUnsent:
            "UPDATE outbox SET attempts = attempts - 1 WHERE start = ? AND state IN (0, 3) AND told = 0 AND attempts > 0"
        case .countResent: "SELECT count(*) FROM outbox WHERE state IN (0, 3) AND told = 0 AND attempts > 1"
        case .markDelivered:
            "UPDATE outbox SET state = CASE state WHEN 3 THEN 2 ELSE 1 END WHERE start = ? AND state IN (0, 3)"
        case .acknowledge: "\(Self.acknowledged) WHERE start = ?1 AND pet = ?2 AND state < 2"
        case .acknowledgePet: "\(Self.acknowledged) WHERE pet = ? AND state < 2"
        case .prune: "DELETE FROM outbox WHERE state = 2 AND start < (SELECT value FROM numbers) - 10000"
        case .dropFinished: "DELETE FROM outbox WHERE pet = ?"
        case .schedules: "SELECT id, pet, name, kind, rule, span, status, boot, due FROM schedules ORDER BY id"
        case .putSchedule:
            "INSERT INTO schedules(pet, name, kind, rule, span, status, boot, due) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        case .updateSchedule: "UPDATE schedules SET status = ?2, boot = ?3, due = ?4 WHERE id = ?1"
        case .dropSchedule: "DELETE FROM schedules WHERE id = ?"
        case .dropSchedules: "DELETE FROM schedules WHERE pet = ?"
        case .settleSchedules: "UPDATE schedules SET boot = ?1, due = due + ?2 WHERE status = 0 AND boot = ?3"
        case .number: "SELECT value FROM numbers WHERE id = 0"
        case .setNumber: "UPDATE numbers SET value = ? WHERE id = 0"
        case .lastStart:
            "SELECT max(ifnull((SELECT max(start) FROM timers), 0), ifnull((SELECT max(start) FROM outbox), 0))"
        }
    }
}
