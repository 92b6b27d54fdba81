import Testing

@testable import LaundryTimers

/// The store with its decisions: what is committed, and what is found again.
@Suite struct TimerKeeperTests {
    @Test func aTimerSurvivesItsHost() throws {
        var bench = try Bench()
        _ = try bench.start()
        bench.pass(10 * minute)
        try bench.restart()
        #expect(try bench.status()?.timer?.remaining == .seconds(35 * 60))
        bench.pass(35 * minute - 1)
        #expect(try bench.perform().deliveries.isEmpty)
        bench.pass(1)
        let finished = try bench.perform().deliveries
        #expect(finished.map(\.key) == ["snowy/1"] && finished.first?.timer.late == 0)
        #expect(try bench.perform().deliveries.isEmpty)
        #expect(try bench.status()?.state == .neutral)
    }

    /// Seed: "start timer, device restart, reopen", after the end and before it.
    @Test(arguments: [20 * minute, 60 * minute])
    func aTimerSurvivesItsMachine(_ off: Int64) throws {
        var bench = try Bench()
        _ = try bench.start()
        bench.pass(5 * minute)
        bench.boot = "boot-2"
        bench.now = Moment(boottime: 7 * second, realtime: bench.now.realtime + off)
        try bench.restart()
        let finished = try bench.perform().deliveries
        guard off > 40 * minute else {
            #expect(finished.isEmpty)
            #expect(try bench.status()?.timer?.remaining == .nanoseconds(40 * minute - off))
            return
        }
        #expect(finished.first?.timer.late == 20 * minute)
        #expect(finished.first?.timer.finishedAt == newYear + 45 * minute)
    }

    @Test func aBoardThatWakesIn1970WaitsForItsClock() throws {
        var bench = try Bench()
        _ = try bench.start()
        bench.boot = "boot-2"
        bench.isSynchronised = false
        bench.now = Moment(boottime: 7 * second, realtime: 100 * second)
        try bench.restart()
        #expect(try bench.perform().deliveries.isEmpty)
        #expect(try bench.status()?.timer?.status == .waitingForClock)
        guard case .list(let list) = try bench.ask(.list(after: 0, limit: 10)) else { return }
        #expect(list.waiting == 1 && list.running == 0 && list.timers.map(\.status) == [.waitingForClock])
        bench.pass(3600 * second)
        #expect(try bench.perform().deliveries.isEmpty)
        // A time service has set it: 30 minutes after the start.
        bench.isSynchronised = true
        bench.now.realtime = newYear + 30 * minute
        #expect(try bench.status()?.timer?.remaining == .seconds(15 * 60))
        // From now on by boottime: nobody's clock ends it any more.
        bench.now.realtime += 3650 * 86_400 * second
        #expect(try bench.perform().deliveries.isEmpty)
        bench.now.boottime += 15 * minute
        #expect(try bench.perform().deliveries.count == 1)
    }

    /// The clock of this boot was set after the start; the store's wall times went with it.
    @Test func aClockThatWasSetIsNoEndAfterAReboot() throws {
        var bench = try Bench()
        _ = try bench.start()
        bench.now.realtime += 86_400 * second
        _ = try bench.ask(.look)
        bench.boot = "boot-2"
        bench.now = Moment(boottime: second, realtime: bench.now.realtime + minute)
        try bench.restart()
        #expect(try bench.perform().deliveries.isEmpty)
        #expect(try bench.status()?.timer?.remaining == .seconds(44 * 60))
    }

    @Test func independentPets() throws {
        var bench = try Bench(pets: ["petA", "petB", "petC"])
        for (pet, minutes) in [("petA", 45), ("petB", 50), ("petC", 47)] {
            _ = try bench.start(pet, .wash, Int64(minutes) * minute)
        }
        var order: [String] = []
        for _ in 0..<60 {
            bench.pass(minute)
            order += try bench.perform().deliveries.map(\.petID)
        }
        #expect(order == ["petA", "petC", "petB"])
        guard case .summary(let summary) = try bench.ask(.summary) else { return }
        #expect(summary.due == 3)
    }

    @Test func aCrowdIsCommittedAndListedAtOnce() throws {
        var bench = try Bench(pets: [])
        let count = 12_000
        let pets = (0..<count).map { TimerOrder.definePet(PetDefinition(id: "pet\($0)")) }
        #expect(try bench.perform(pets).answers.count == count)
        let starts = (0..<count).map {
            StartRequest(pet: "pet\($0)", kind: .wash, duration: .seconds(60 + $0 % 7), basis: nil)
        }
        guard case .startedMany(let many) = try bench.ask(.startMany(starts)) else { return }
        #expect(many.started == count && many.refused.isEmpty)
        bench.pass(3600 * second)
        let round = try bench.perform([.list(after: 0, limit: 1000)])
        #expect(round.deliveries.count == count)
        guard case .list(let list) = try #require(round.answers.first).get() else { return }
        #expect(list.due == count && list.running == 0 && list.finished.count == 1000)
        #expect(Set(round.deliveries.map(\.key)).count == count)
    }

    @Test func startManySaysWhatItDidNotStart() throws {
        let bench = try Bench(pets: ["a", "b"])
        let orders = ["a", "nobody", "a", "b"].map { StartRequest(pet: $0, kind: .dry, duration: nil, basis: nil) }
        guard case .startedMany(let many) = try bench.ask(.startMany(orders)) else { return }
        #expect(many.started == 2)
        #expect(many.refused.map(\.pet) == ["nobody", "a"])
        #expect(many.refused.last?.reason.hasPrefix("a has a dry timer already") == true)
    }

    @Test func snoozeNextAndFold() throws {
        var bench = try Bench()
        #expect(throws: (any Error).self) { try bench.ask(.snooze("snowy", for: nil)) }
        _ = try bench.start()
        bench.pass(45 * minute)
        guard case .timer(let snoozed) = try bench.ask(.snooze("snowy", for: nil)) else { return }
        #expect(snoozed.kind == .wash && snoozed.duration == .seconds(300) && snoozed.timer == "snowy/2")
        bench.pass(5 * minute)
        #expect(try bench.status()?.next == .startDryer)
        guard case .pet(let drying) = try bench.ask(.next("snowy")) else { return }
        #expect(drying.state == .drying && drying.timer?.duration == .seconds(3600))
        #expect(throws: (any Error).self) { try bench.ask(.next("snowy")) }
        bench.pass(60 * minute)
        #expect(try bench.status()?.next == .fold)
        guard case .pet(let folded) = try bench.ask(.next("snowy")) else { return }
        #expect(folded.state == .idle && folded.stage == .idle && folded.next == nil)
        guard case .summary(let summary) = try bench.ask(.summary) else { return }
        #expect(summary.due == 0)
    }

    @Test func dueDeliveredAcknowledged() throws {
        var bench = try Bench()
        _ = try bench.start()
        bench.pass(45 * minute)
        #expect(try bench.perform().deliveries.map(\.timer.attempts) == [1])
        // Killed before it was noted that it was told: once more, and counted.
        try bench.restart()
        #expect(bench.keeper.redeliveries == 1)
        #expect(try bench.perform().deliveries.map(\.timer.attempts) == [2])
        // A host that ends in order says that nobody was told.
        try bench.keeper.note([.unsent([1])])
        try bench.restart()
        #expect(bench.keeper.redeliveries == 1)
        #expect(try bench.perform().deliveries.map(\.timer.attempts) == [2])
        // Told, and not shown: the next one shows it, and tells nothing.
        _ = try bench.ask(.told([1]))
        try bench.restart()
        #expect(bench.keeper.redeliveries == 0)
        #expect(try bench.perform().deliveries.map(\.isTold) == [true])
        _ = try bench.ask(.delivered([1]))
        try bench.restart()
        #expect(bench.keeper.redeliveries == 0)
        #expect(try bench.perform().deliveries.isEmpty)
        // Somebody asks for what is open.
        #expect(try bench.perform([.replay(after: 0)]).deliveries.map(\.key) == ["snowy/1"])
        #expect(try bench.ask(.acknowledge("snowy/1")) == .count(1))
        #expect(try bench.ask(.acknowledge("snowy/1")) == .count(0))
        #expect(try bench.perform([.replay(after: 0)]).deliveries.isEmpty)
        #expect(throws: (any Error).self) { try bench.ask(.acknowledge("nobody/1")) }
        #expect(throws: (any Error).self) { try bench.ask(.acknowledge("snowy/x")) }
    }

    @Test func petsAreKeptChangedAndRemoved() throws {
        var bench = try Bench()
        _ = try bench.ask(.definePet(PetDefinition(id: "snowy", name: "Snow", wash: 10 * minute, hasSound: false)))
        try bench.restart()
        let pet = try #require(try bench.status())
        #expect(pet.name == "Snow" && pet.wash == .seconds(600) && !pet.hasSound && pet.dry == .seconds(3600))
        #expect(throws: (any Error).self) {
            try bench.ask(.definePet(PetDefinition(id: "b", name: String(repeating: "x", count: 129))))
        }
        for id in ["", "a b", "a/b", "a\n", String(repeating: "x", count: 65)] {
            #expect(throws: (any Error).self) { try bench.ask(.definePet(PetDefinition(id: id))) }
        }
        _ = try bench.start()
        _ = try bench.ask(.removePet("snowy"))
        bench.pass(100 * minute)
        #expect(try bench.perform().deliveries.isEmpty)
        #expect(throws: (any Error).self) { try bench.ask(.status("snowy")) }
        guard case .pets(let pets) = try bench.ask(.pets(after: 0, limit: 10)) else { return }
        #expect(pets.count == 0)
    }

    /// More than one page, each once, in their order.
    @Test func allThatIsOpenIsToldAgain() throws {
        let count = TimerKeeper.crowd + 5
        var bench = try Bench(pets: (0..<count).map { "p\($0)" })
        let starts = (0..<count).map {
            StartRequest(pet: "p\($0)", kind: .wash, duration: nil, basis: nil)
        }
        _ = try bench.ask(.startMany(starts))
        bench.pass(45 * minute)
        #expect(try bench.perform().deliveries.count == count)
        let first = try bench.perform([.replay(after: 0), .replay(after: 0)])
        guard case .success(.replayed(TimerKeeper.crowd, let last?)) = first.answers[0] else {
            Issue.record("no first page: \(first.answers[0])")
            return
        }
        #expect(first.deliveries.count == TimerKeeper.crowd)
        let second = try bench.perform([.replay(after: last)])
        #expect((first.deliveries + second.deliveries).map(\.timer.start) == (1...count).map { Int64($0) })
        #expect(try second.answers[0].get() == .replayed(5, last: nil))
    }

    /// A clock that shows 1970 would end it in the moment in which it is set.
    @Test func noTimerGoesByAClockThatIsWorthNothing() throws {
        var bench = try Bench()
        _ = try bench.start("snowy", .wash, minute, .wall)
        _ = try bench.ask(.pause("snowy"))
        bench.isSynchronised = false
        bench.now.realtime = 100 * second
        #expect(throws: (any Error).self) { try bench.ask(.resume("snowy")) }
        _ = try bench.ask(.stop("snowy"))
        #expect(throws: (any Error).self) { try bench.start("snowy", .wash, minute, .wall) }
        // What was not asked for by name goes on by the other clock.
        _ = try bench.ask(.policy(TimerPolicy(basis: .wall)))
        guard
            case .timer(let timer) = try bench.ask(
                .start(StartRequest(pet: "snowy", kind: .wash, duration: nil, basis: nil)))
        else { return }
        #expect(timer.basis == .elapsed)
    }

    /// How stale it is counts when it is told, not when it was noticed.
    @Test func ageGrowsUntilItIsTold() throws {
        var bench = try Bench()
        _ = try bench.start()
        bench.pass(45 * minute)
        #expect(try bench.perform().deliveries.map(\.age) == [0])
        bench.pass(60 * minute)
        try bench.restart()
        let told = try bench.perform().deliveries
        #expect(told.map(\.age) == [60 * minute] && told.map(\.timer.late) == [0])
    }

    /// The store is right where the queue is not; nothing healthy is put aside for it.
    @Test func theQueueFollowsTheStore() throws {
        var bench = try Bench(pets: ["snowy", "fluffy"])
        _ = try bench.start()
        _ = try bench.start("fluffy")
        try bench.keeper.store.database.execute(
            "UPDATE timers SET due = due + 60000000000 WHERE pet = 1; DELETE FROM timers WHERE pet = 2")
        bench.pass(45 * minute)
        let round = try bench.perform()
        #expect(round.mismatches == 2 && round.deliveries.isEmpty)
        bench.pass(minute)
        let later = try bench.perform()
        #expect(later.mismatches == 0 && later.deliveries.map(\.petID) == ["snowy"])
    }

    /// What everybody is done with does not stay for ever, also where no host is started anew.
    @Test func whatIsAcknowledgedIsPruned() throws {
        let bench = try Bench()
        try bench.keeper.store.database.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
            INSERT INTO outbox SELECT i, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0 FROM n;
            UPDATE numbers SET value = 12001
            """)
        bench.keeper.number = 12_001
        #expect(try bench.ask(.acknowledge("snowy")) == .count(12_000))
        #expect(try bench.keeper.store.database.number("SELECT count(*) FROM outbox") == 10_000)
    }

    /// A number is never used again, so a key names one timer for ever.
    @Test func numbersAreNotUsedAgain() throws {
        var bench = try Bench()
        for number in 1...3 {
            #expect(try bench.start()?.timer == "snowy/\(number)")
            _ = try bench.ask(.stop("snowy"))
            try bench.restart()
        }
        _ = try bench.ask(.removePet("snowy"))
        try bench.restart()
        _ = try bench.ask(.definePet(PetDefinition(id: "snowy")))
        #expect(try bench.start()?.timer == "snowy/4")
    }

    @Test func aRefusedOrderLeavesTheOthers() throws {
        let bench = try Bench()
        let start = TimerOrder.start(StartRequest(pet: "snowy", kind: .wash, duration: nil, basis: nil))
        let round = try bench.perform([.stop("snowy"), start, start, .status("nobody"), .status("snowy")])
        #expect(round.answers.map { (try? $0.get()) != nil } == [false, true, false, false, true])
    }
}
