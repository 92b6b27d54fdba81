import CrashingDisk
import Foundation
import Testing

@testable import LaundryTimers

/// What is tested one after the other: there is one crashing disk in the process.
@Suite(.serialized) enum CrashingDiskTests {}

/// How a host comes to its end, and what that leaves in its files.
enum Crash: CaseIterable {
    /// The process was killed: all that was written before is there, the last write perhaps in part.
    case killed, killedInAWrite
    /// The power was cut: what was not synced is gone, or some of it.
    case powerLost, powerLostInAWrite, powerLostWithSomeWrites

    func arrange(at number: Int, seed: UInt32) {
        crashing_disk_set(number, [.killedInAWrite, .powerLostInAWrite].contains(self) ? 1 : 0)
        switch self {
        case .killed, .killedInAWrite: break
        case .powerLost: crashing_disk_lose(100, seed)
        case .powerLostInAWrite, .powerLostWithSomeWrites: crashing_disk_lose(50, seed)
        }
    }
}

extension CrashingDiskTests {
    /// The file: whose it is, what a damage does, and what a kill leaves.
    @Suite struct StoreFileTests {
        private static let machine = TimerEnvironment(bootID: { "boot-1" }, isSynchronised: { true })
        private static let now = Moment(boottime: 1000 * second, realtime: newYear)

        private func open(_ folder: Folder) throws -> StoreFile.Opened {
            try StoreFile(path: folder.store, environment: Self.machine).open(
                at: Self.now, policy: .init())
        }

        @Test func aSecondHostIsRefused() throws {
            let folder = try Folder()
            let first = try open(folder)
            do {
                _ = try open(folder)
                Issue.record("a second one was let in")
            } catch let error as StoreError {
                #expect(error.isBusy && !error.isDamage)
            }
            first.keeper.store.close()
            #expect(folder.names.filter { $0.contains("damaged") }.isEmpty)
        }

        /// Each is set aside under a name of its own, and the timers begin anew.
        @Test func aDamagedStoreIsSetAsideAndSaid() throws {
            let folder = try Folder()
            for number in 1...3 {
                try Data("this is no database, and never was one".utf8).write(to: URL(fileURLWithPath: folder.store))
                let opened = try open(folder)
                #expect(opened.damage?.path == "\(folder.store).damaged-\(number)")
                #expect(opened.damage?.reason == "file is not a database")
                #expect(opened.keeper.setAside == opened.damage?.path)
                opened.keeper.store.close()
            }
            #expect(folder.names.filter { $0.contains("damaged") }.count == 3)
            let kept = try Data(contentsOf: URL(fileURLWithPath: "\(folder.store).damaged-1"))
            #expect(kept.starts(with: Data("this is no".utf8)))
        }

        @Test(arguments: [
            "UPDATE timers SET status = 9", "UPDATE timers SET boot = 77", "UPDATE timers SET pet = 99999999",
            "PRAGMA application_id = 5", "DROP TABLE outbox", "DELETE FROM numbers", "UPDATE numbers SET value = 0",
            "UPDATE numbers SET value = 1", "UPDATE numbers SET value = 9223372036854775807",
        ])
        func rowsThatNobodyWritesAreDamage(_ damage: String) throws {
            let folder = try Folder()
            let opened = try open(folder)
            _ = try opened.keeper.perform(
                [
                    .definePet(PetDefinition(id: "snowy")),
                    .start(StartRequest(pet: "snowy", kind: .wash, duration: nil, basis: nil)),
                ], at: Self.now, isSynchronised: true)
            try opened.keeper.store.database.execute(damage)
            opened.keeper.store.close()
            #expect(try open(folder).damage != nil)
        }

        /// Two timers of one pet, of which one would never be told.
        @Test func twoTimersOfOnePetAreDamage() throws {
            let folder = try Folder()
            let opened = try open(folder)
            _ = try opened.keeper.perform(
                ["snowy", "fluffy"].flatMap { id in
                    [
                        .definePet(PetDefinition(id: id)),
                        .start(StartRequest(pet: id, kind: .wash, duration: nil, basis: nil)),
                    ]
                }, at: Self.now, isSynchronised: true)
            try opened.keeper.store.database.execute("UPDATE timers SET pet = 1")
            opened.keeper.store.close()
            #expect(try open(folder).damage?.reason.contains("timer 2 is of pet row 1") == true)
        }

        /// Who put it aside was killed before it said so: its numbers are not used again all the same.
        @Test func whatAnotherHostPutAsideIsSaid() throws {
            let folder = try Folder()
            try Data("this is no database, and never was one".utf8).write(to: URL(fileURLWithPath: folder.store))
            let aside = try StoreFile(path: folder.store, environment: Self.machine).setAside()
            try keeper(folder, crashing: false).store.close()
            let opened = try open(folder)
            #expect(opened.damage?.path == aside)
            #expect(opened.damage?.reason == "a host before this one found it so")
            #expect(opened.keeper.number == newYear / 1_000_000_000)
            opened.keeper.store.close()
            let again = try open(folder)
            #expect(again.damage == nil && again.keeper.number == opened.keeper.number)
        }

        /// What earlier versions made of a store of this one.
        private static let earlier: [String] = [
            """
            ALTER TABLE boots DROP COLUMN told_until;
            DROP INDEX held;
            ALTER TABLE timers RENAME TO later;
            CREATE TABLE timers(
                pet INTEGER PRIMARY KEY, start INTEGER NOT NULL, kind INTEGER NOT NULL, status INTEGER NOT NULL,
                boot INTEGER NOT NULL, due INTEGER NOT NULL, started INTEGER NOT NULL, duration INTEGER NOT NULL);
            CREATE INDEX held ON timers(pet) WHERE status > 1;
            INSERT INTO timers SELECT pet, start, kind, status, boot, due, started, duration FROM later;
            DROP TABLE later;
            PRAGMA user_version = 1;
            """,
            """
            ALTER TABLE boots DROP COLUMN told_until;
            ALTER TABLE timers DROP COLUMN attempts;
            PRAGMA user_version = 2;
            """,
        ]
        private static let pets = ["snowy", "fluffy", "buddy"]

        /// A store of an earlier version: three pets, of which two have a timer, one of them paused.
        private func write(version: Int, _ folder: Folder, _ more: String = "") throws -> [Pet?] {
            let keeper = try open(folder).keeper
            defer { keeper.store.close() }
            _ = try keeper.perform(
                Self.pets.map { .definePet(PetDefinition(id: $0)) }, at: Self.now, isSynchronised: true)
            for pet in ["fluffy", "snowy"] {
                let start = StartRequest(pet: pet, kind: .wash, duration: nil, basis: nil)
                _ = try keeper.perform([.start(start), .pause(pet)], at: Self.now, isSynchronised: true)
            }
            _ = try keeper.perform([.resume("snowy")], at: Self.now, isSynchronised: true)
            let written = try Self.pets.map { try keeper.store.pet($0) }
            try keeper.store.database.execute(Self.earlier[version - 1] + more)
            return written
        }

        @Test(arguments: [(1, ""), (1, "DROP INDEX held;"), (2, "")])
        func aStoreOfAnEarlierVersionGoesOn(_ version: Int, _ change: String) throws {
            let folder = try Folder()
            let written = try write(version: version, folder, change)
            for _ in 0..<2 {
                let again = try open(folder)
                #expect(again.damage == nil)
                #expect(try Self.pets.map { try again.keeper.store.pet($0) } == written)
                #expect(again.keeper.queue.count == 1)
                #expect(try again.keeper.store.count(.countHeld) == 1)
                #expect(try again.keeper.store.database.number("PRAGMA user_version") == 3)
                again.keeper.store.close()
            }
        }

        @Test(arguments: [
            (1, "UPDATE timers SET start = 1;"), (1, "DROP TABLE timers;"), (1, "CREATE TABLE timers_1(a);"),
            (2, "DROP TABLE timers;"), (2, "ALTER TABLE boots ADD COLUMN told_until;"),
        ])
        func aBrokenStoreOfAnEarlierVersionIsPutAside(_ version: Int, _ damage: String) throws {
            let folder = try Folder()
            _ = try write(version: version, folder, damage)
            #expect(try open(folder).damage?.reason.hasPrefix("it is of version \(version), and not whole: ") == true)
        }

        /// Ended at each write while a store of an earlier version is brought over.
        @Test(arguments: Crash.allCases, [1, 2])
        func aStoreOfAnEarlierVersionSurvivesItsWay(_ crash: Crash, _ version: Int) throws {
            #expect(crashing_disk_register() == 0)
            defer { crashing_disk_set(-1, 0) }
            for number in 0... {
                crashing_disk_set(-1, 0)
                let folder = try Folder()
                let written = try write(version: version, folder)
                crash.arrange(at: number, seed: UInt32(number))
                let opened = try? keeper(folder, crashing: true)
                opened?.store.close()
                crashing_disk_set(-1, 0)
                let again = try open(folder)
                #expect(again.damage == nil, "over at write \(number)")
                #expect(try Self.pets.map { try again.keeper.store.pet($0) } == written, "over at write \(number)")
                again.keeper.store.close()
                if opened != nil { return #expect(number > 3) }
            }
        }

        /// A newer version's store is no damage: it must not be emptied.
        @Test func aNewerStoreIsRefusedAndStays() throws {
            let folder = try Folder()
            let opened = try open(folder)
            try opened.keeper.store.database.execute("PRAGMA user_version = 4")
            opened.keeper.store.close()
            #expect(throws: StoreError.self) { try open(folder) }
            #expect(folder.names.contains("timers.db") && !folder.names.contains("timers.db.damaged-1"))
        }

        /// Over at every write of start, complete, stop and acknowledge, by a kill or with the power: what was answered is there, and
        /// nothing twice.
        @Test(arguments: Crash.allCases)
        func overAtEveryWrite(_ crash: Crash) throws {
            #expect(crashing_disk_register() == 0)
            defer { crashing_disk_set(-1, 0) }
            var writes = 0
            var number = 0
            repeat {
                let folder = try Folder()
                crashing_disk_set(-1, 0)
                let setup = try keeper(folder, crashing: true)
                _ = try setup.perform(
                    ["a", "b"].map { .definePet(PetDefinition(id: $0)) }, at: Self.now, isSynchronised: true)
                crash.arrange(at: number, seed: UInt32(number))
                let answered = story(setup)
                setup.store.close()
                writes = crashing_disk_changes()
                crashing_disk_set(-1, 0)
                try check(folder, answered, number)
                number += 1
                // Until none was left to be killed at; the last of them are those of closing the file.
            } while writes >= number
            // Five transactions, each at least a frame and a sync.
            #expect(number >= 15)
        }

        /// What was completed before the disk failed is handed on by the next call, once.
        @Test func aFailedOrderLosesNoCompletion() throws {
            #expect(crashing_disk_register() == 0)
            defer { crashing_disk_set(-1, 0) }
            var later = Self.now
            later.boottime += 61 * second
            later.realtime += 61 * second
            var failures = 0
            for number in 0... {
                crashing_disk_set(-1, 0)
                let folder = try Folder()
                defer { withExtendedLifetime(folder) {} }
                let keeper = try keeper(folder, crashing: true)
                _ = try keeper.perform(
                    [
                        .definePet(PetDefinition(id: "a")), .definePet(PetDefinition(id: "b")),
                        .start(StartRequest(pet: "a", kind: .wash, duration: .seconds(60), basis: nil)),
                    ], at: Self.now, isSynchronised: true)
                let order = TimerOrder.start(StartRequest(pet: "b", kind: .dry, duration: nil, basis: nil))
                crashing_disk_set(number, 0)
                let round = try? keeper.perform([order], at: later, isSynchronised: true)
                crashing_disk_set(-1, 0)
                let next = try keeper.perform([], at: later, isSynchronised: true)
                let told = (round?.deliveries ?? []) + next.deliveries
                #expect(told.map(\.key) == ["a/1"], "the disk failed at write \(number)")
                keeper.store.close()
                if round != nil { break }
                failures += 1
            }
            // Two transactions, each at least a frame and a sync.
            #expect(failures >= 4)
        }

        /// Two starts, both finished, one stopped before; how far it came is what was answered.
        private func story(_ keeper: TimerKeeper) -> Int {
            func start(_ pet: String) -> TimerOrder {
                .start(StartRequest(pet: pet, kind: .wash, duration: .seconds(60), basis: nil))
            }
            var later = Self.now
            later.boottime += 61 * second
            later.realtime += 61 * second
            let steps: [([TimerOrder], Moment)] = [
                ([start("a")], Self.now), ([start("b")], Self.now), ([.stop("b")], Self.now), ([], later),
                ([.acknowledge("a/1")], later),
            ]
            var answered = 0
            for (orders, moment) in steps {
                guard (try? keeper.perform(orders, at: moment, isSynchronised: true)) != nil else { return answered }
                answered += 1
            }
            return answered
        }

        /// The store is what it was after the last answered step, or after the next one.
        private func check(_ folder: Folder, _ answered: Int, _ number: Int) throws {
            let keeper = try keeper(folder, crashing: false)
            defer { keeper.store.close() }
            func state() throws -> [String] {
                let timers = try keeper.store.pets(after: 0, limit: 10).compactMap { pet in
                    pet.timer.map { "\(pet.id)/\($0.start) \(pet.state)" }
                }
                return try timers + keeper.store.openTimers(limit: 10).map { "\($0.key) finished" }
            }
            let expected = [
                [], ["a/1 washing"], ["a/1 washing", "b/2 washing"], ["a/1 washing"], ["a/1 finished"], [],
            ]
            let found = try state()
            let allowed = expected[answered...].prefix(2)
            #expect(allowed.contains(found), "over at write \(number), after \(answered) answers: \(found)")
        }

        private func keeper(_ folder: Folder, crashing: Bool) throws -> TimerKeeper {
            try TimerKeeper(
                TimerStore(folder.store, vfs: crashing ? "crashing" : nil), bootID: "boot-1",
                now: Self.now,
                isSynchronised: true)
        }

        /// The store does not take the note that it was told: it comes with the next one, and nothing is told twice.
        @Test func aNoteThatTheDiskDidNotTakeIsRepeated() throws {
            #expect(crashing_disk_register() == 0)
            crashing_disk_set(-1, 0)
            defer { crashing_disk_set(-1, 0) }
            let board = try Board(vfs: "crashing")
            _ = try board.ask("start", ["pet": "snowy", "kind": "wash"])
            try board.instance.advance(by: .seconds(2700))
            board.fake.runWork()
            crashing_disk_set(0, 0)
            board.instance.settle()
            try board.pass(.milliseconds(100))
            #expect(board.events("finished").count == 1)
            #expect(board.fake.seen.log.contains { $0.contains("tried again every 5 s") }, "\(board.fake.seen.log)")
            crashing_disk_set(-1, 0)
            try board.pass(.seconds(5))
            try board.kill(after: .seconds(1))
            #expect(board.events("finished").isEmpty)
            #expect(try board.ask("summary")["redeliveries"]?.int == 0)
            board.end()
        }

        /// The disk takes nothing in the moment in which it is told: it is over in the store when there is one again, and told once.
        @Test func whatWasToldIsCommittedWhenTheDiskTakesIt() throws {
            #expect(crashing_disk_register() == 0)
            crashing_disk_set(-1, 0)
            defer { crashing_disk_set(-1, 0) }
            let board = try Board(vfs: "crashing")
            _ = try board.ask("start", ["pet": "snowy", "kind": "wash"])
            try board.pass(.milliseconds(2_699_900))
            crashing_disk_set(0, 0)
            try board.pass(.seconds(2))
            #expect(board.events("finished").count == 1 && board.fake.notifications.count == 1)
            crashing_disk_set(-1, 0)
            try board.pass(.seconds(10))
            #expect(try board.ask("list")["due"]?.int == 1)
            try board.kill(after: .seconds(1))
            #expect(board.events("finished").isEmpty)
            #expect(try board.ask("summary")["redeliveries"]?.int == 0)
            board.end()
        }

        @Test func anEmptyFileIsSaid() throws {
            let folder = try Folder()
            #expect(try opensEmpty(folder) == false)
            try Data().write(to: URL(fileURLWithPath: folder.store))
            for name in folder.names where name != "timers.db" {
                try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
            }
            #expect(try opensEmpty(folder))
        }

        private func opensEmpty(_ folder: Folder) throws -> Bool {
            let opened = try open(folder)
            opened.keeper.store.close()
            return opened.wasEmpty
        }
    }
}
