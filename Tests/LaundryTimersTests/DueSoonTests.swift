import HostTestKit
import PluginKit
import Testing

@testable import LaundryTimers

/// What main tells before it is committed, as the keeper and the store see it.
@Suite struct DueSoonTests {
    private static let lead = TimerKeeper.usualLead

    /// A timer that is over in a tenth of a second, and ready for main.
    private func ready(_ length: Int64 = 45 * minute) throws -> Bench {
        var bench = try Bench(pets: ["snowy", "fluffy"], lead: Self.lead)
        _ = try bench.start("snowy", .wash, length)
        bench.pass(length - 100_000_000)
        try bench.ask(.look)
        #expect(bench.keeper.dueSoon.next == bench.now.boottime + 100_000_000)
        return bench
    }

    private func told(_ bench: Bench) -> [String] {
        bench.keeper.dueSoon.take(at: bench.now).map { "\($0.key):\($0.timer.attempts)" }
    }

    @Test func itIsToldAtItsEndAndNotBefore() throws {
        var bench = try ready()
        bench.pass(99_999_999)
        #expect(told(bench).isEmpty)
        // Nobody completes what main is going to tell.
        bench.pass(2)
        #expect(try bench.perform([.look]).deliveries.isEmpty)
        let (end, open) = (bench.now.realtime - 1, bench.keeper.dueSoon.take(at: bench.now))
        #expect(open.map(\.key) == ["snowy/1"])
        #expect(open.map(\.timer.late) == [1] && open.map(\.age) == [1] && open.map(\.timer.finishedAt) == [end])
        #expect(open.map(\.nextStep) == [.startDryer])
        // The store has it as it was told, whenever it comes to it and whatever the wall clock shows then.
        bench.pass(second)
        bench.now.realtime += 3600 * second
        let round = try bench.perform([.look])
        #expect(round.deliveries.isEmpty && round.hasCompleted && round.mismatches == 0)
        #expect(try bench.keeper.store.openTimers(limit: 10).map(\.timer) == open.map(\.timer))
        #expect(told(bench).isEmpty && bench.keeper.dueSoon.told.isEmpty && bench.keeper.queue.count == 0)
    }

    /// One note of it in the store covers what is over in the next half second; the rounds for it come in time.
    @Test func theNextRoundIsWhenSomethingIsToBeMadeReady() throws {
        var bench = try Bench(pets: ["a", "b", "c"], lead: Self.lead)
        let began = bench.now.boottime
        for (pet, length) in [("a", 10 * second), ("b", 10 * second + 400_000_000), ("c", 20 * second)] {
            _ = try bench.start(pet, .wash, length)
        }
        #expect(bench.keeper.nextRound(.boottime) == began + 10 * second - Self.lead)
        bench.pass(10 * second - Self.lead)
        try bench.ask(.look)
        #expect(bench.keeper.dueSoon.next == began + 10 * second)
        #expect(bench.keeper.toldUntil == began + 10 * second + Self.lead)
        // Then for what comes behind that.
        #expect(bench.keeper.nextRound(.boottime) == began + 10 * second)
        bench.pass(Self.lead)
        #expect(told(bench) == ["a/1:1"])
        try bench.ask(.look)
        #expect(bench.keeper.nextRound(.boottime) == began + 10 * second + 400_000_000 - Self.lead)
        bench.pass(400_000_000 - Self.lead)
        try bench.ask(.look)
        #expect(bench.keeper.dueSoon.next == began + 10 * second + 400_000_000)
        bench.pass(Self.lead)
        #expect(told(bench) == ["b/2:1"])
        try bench.ask(.look)
        #expect(bench.keeper.nextRound(.boottime) == began + 20 * second - Self.lead)
    }

    /// It is over in the same moment in which it begins to be ready.
    @Test func aShortTimerIsReadyWithItsStart() throws {
        var bench = try Bench(lead: Self.lead)
        _ = try bench.start("snowy", .wash, 10_000_000)
        #expect(bench.keeper.dueSoon.next == bench.now.boottime + 10_000_000)
        bench.pass(10_000_000)
        #expect(told(bench) == ["snowy/1:1"])
    }

    /// By the wall clock, which somebody may set, and of schedules: those are committed first.
    @Test func whatFollowsTheWallClockIsCommittedFirst() throws {
        var bench = try Bench(lead: Self.lead)
        _ = try bench.start("snowy", .wash, 10 * second, .wall)
        bench.pass(10 * second - 1)
        try bench.ask(.look)
        #expect(bench.keeper.dueSoon.next == nil)
        bench.pass(1)
        #expect(told(bench).isEmpty)
        #expect(try bench.perform([.look]).deliveries.map(\.key) == ["snowy/1"])
    }

    @Test(arguments: [
        TimerOrder.stop("snowy"), .pause("snowy"), .extend("snowy", by: second), .removePet("snowy"),
    ])
    func whatIsChangedInTimeIsNotTold(_ order: TimerOrder) throws {
        var bench = try ready()
        try bench.ask(order)
        bench.pass(100_000_000)
        #expect(told(bench).isEmpty)
        #expect(try bench.perform([.look]).deliveries.isEmpty)
        guard case .extend = order else { return }
        bench.pass(second)
        // It was made ready for its new end with that order, or is by a round before it.
        #expect(told(bench) + (try bench.perform([.look]).deliveries.map { "\($0.key):1" }) == ["snowy/1:1"])
    }

    /// Who only looks, or gives the pet another name, does not take it away.
    @Test func whoLooksTakesNothingAway() throws {
        var bench = try ready()
        #expect(try bench.status()?.timer != nil)
        _ = try bench.ask(.definePet(PetDefinition(id: "snowy", name: "Snow")))
        bench.pass(100_000_000)
        let open = bench.keeper.dueSoon.take(at: bench.now)
        #expect(open.map(\.key) == ["snowy/1"] && open.map(\.petName) == ["Snow"])
    }

    /// An order that comes when it is over, whether anybody was told or not: it is about a finished timer.
    @Test(arguments: [true, false])
    func anOrderAfterTheEndIsAboutWhatIsOver(_ isTold: Bool) throws {
        var bench = try ready()
        bench.pass(100_000_000)
        if isTold { #expect(told(bench) == ["snowy/1:1"]) }
        let round = try bench.perform([.stop("snowy")])
        guard case .success(.stopped(let stopped))? = round.answers.first else { return #expect(Bool(false)) }
        #expect(stopped.stopped == nil && stopped.acknowledged == 1)
        #expect(round.deliveries.count == (isTold ? 0 : 1))
        #expect(told(bench).isEmpty)
    }

    /// The next step of a pet whose wash was told to be over a moment ago.
    @Test func theNextStepDoesNotWaitForTheStore() throws {
        var bench = try ready()
        bench.pass(100_000_000)
        #expect(told(bench) == ["snowy/1:1"])
        guard case .pet(let pet) = try bench.ask(.next("snowy")) else { return #expect(Bool(false)) }
        #expect(pet.state == .drying && pet.timer?.timer == "snowy/2")
        // It is another timer of the same pet: what was ready is not told for it.
        bench.pass(Self.lead)
        #expect(told(bench).isEmpty)
    }

    /// Killed after it was told, or when it might have been: the next host tells it as another attempt, and counts it.
    @Test(arguments: [true, false], ["boot-1", "boot-2"])
    func aKillBeforeTheCommitIsCounted(_ isTold: Bool, _ boot: String) throws {
        var bench = try ready()
        bench.pass(100_000_000)
        if isTold { #expect(told(bench) == ["snowy/1:1"]) }
        bench.boot = boot
        bench.pass(60 * second)
        try bench.restart()
        #expect(bench.keeper.redeliveries == 1)
        let deliveries = try bench.perform().deliveries
        #expect(deliveries.map(\.key) == ["snowy/1"] && deliveries.map(\.timer.attempts) == [2])
        // And killed once more.
        try bench.restart()
        #expect(bench.keeper.redeliveries == 1)
        #expect(try bench.perform().deliveries.map(\.timer.attempts) == [3])
    }

    /// Others, which were not to be over then, are not counted.
    @Test func whatWasNotReadyIsNotCounted() throws {
        var bench = try ready()
        _ = try bench.start("fluffy", .wash, second)
        bench.pass(100_000_000)
        try bench.restart()
        #expect(bench.keeper.redeliveries == 1)
        bench.pass(second)
        #expect(
            try bench.perform([.look]).deliveries.map { "\($0.key):\($0.timer.attempts)" }
                == ["snowy/1:2", "fluffy/2:1"])
    }

    /// It was ready, and its end had not come: nobody can have been told.
    @Test func aKillBeforeTheEndCountsNothing() throws {
        var bench = try ready()
        bench.pass(99_999_999)
        try bench.restart()
        #expect(bench.keeper.redeliveries == 0)
        bench.pass(1)
        #expect(
            told(bench) + (try bench.perform([.look]).deliveries.map { "\($0.key):\($0.timer.attempts)" }) == [
                "snowy/1:1"
            ])
    }

    /// Main tells it while the worker is in a batch that began before its end.
    @Test func aTimerThatIsToldInTheMiddleOfABatchIsOver() throws {
        var bench = try ready()
        let before = bench.now
        bench.pass(100_000_000)
        let open = bench.keeper.dueSoon.take(at: bench.now)
        let start = StartRequest(pet: "snowy", kind: .cycle, duration: .nanoseconds(1), basis: nil)
        let round = try bench.keeper.perform(
            [.next("snowy"), .status("snowy"), .stop("snowy"), .start(start), .status("snowy")], at: before,
            isSynchronised: true)
        #expect(round.mismatches == 0 && round.deliveries.isEmpty)
        guard case .success(.pet(let next))? = round.answers.first, case .success(.pet(let last))? = round.answers.last
        else { return #expect(Bool(false)) }
        // What came after it is another timer, and was not told.
        #expect(next.timer?.timer == "snowy/2" && last.timer?.timer == "snowy/3")
        #expect(try bench.perform([.look]).deliveries.map(\.key) == ["snowy/3"])
        #expect(open.map(\.key) == ["snowy/1"] && bench.keeper.dueSoon.count == 0)
    }

    /// A round that failed for want of space, and an end in order: nothing that nobody was told of is counted.
    @Test func anEndInOrderMakesNothingReady() throws {
        var bench = try Bench(lead: Self.lead)
        _ = try bench.start("snowy", .wash, second)
        bench.pass(second - 1000)
        _ = try bench.keeper.perform([.look], at: bench.now, isSynchronised: true)
        try bench.keeper.note([])
        try bench.keeper.makeReady()
        bench.pass(second)
        #expect(told(bench).isEmpty)
        try bench.restart()
        #expect(bench.keeper.redeliveries == 0)
        #expect(try bench.perform([.look]).deliveries.map(\.timer.attempts) == [1])
    }

    /// What an order took away from main is main's again where the order failed.
    @Test func whatARollbackGivesBackIsTold() throws {
        var bench = try ready()
        let soon = bench.keeper.dueSoon
        #expect(soon.withdraw(1, 1) == nil && soon.next == nil)
        soon.rollback()
        bench.pass(100_000_000)
        #expect(told(bench) == ["snowy/1:1"])
        // Of what main told a rollback changes nothing.
        soon.complete(1)
        soon.rollback()
        #expect(soon.toldAt(1, 1) == bench.now && soon.toldAt(1, 2) == nil)
        try bench.ask(.look)
        #expect(soon.count == 0)
    }

    /// An end in order commits what was told, and the rest is told by the next host as its first attempt.
    @Test(arguments: [true, false])
    func anEndInOrderCommitsWhatWasTold(_ isTold: Bool) throws {
        var bench = try ready()
        bench.pass(100_000_000)
        if isTold { #expect(told(bench) == ["snowy/1:1"]) }
        try bench.keeper.note(isTold ? [.delivered([1])] : [])
        #expect(told(bench).isEmpty)
        try bench.restart()
        #expect(bench.keeper.redeliveries == 0)
        #expect(try bench.perform([.look]).deliveries.map(\.timer.attempts) == (isTold ? [] : [1]))
        #expect(try bench.status()?.next == .startDryer)
    }

    /// More than are made ready: all are told, each once.
    @Test func aCrowdIsToldByBoth() throws {
        let count = DueSoon.most + 50
        var bench = try Bench(pets: (0..<count).map { "pet\($0)" }, lead: Self.lead)
        let starts = (0..<count).map {
            StartRequest(pet: "pet\($0)", kind: .wash, duration: .nanoseconds(second), basis: nil)
        }
        _ = try bench.ask(.startMany(starts))
        bench.pass(second - Self.lead)
        try bench.ask(.look)
        #expect(bench.keeper.dueSoon.count == DueSoon.most)
        bench.pass(Self.lead)
        var told: [Int64] = bench.keeper.dueSoon.take(at: bench.now).map(\.timer.start)
        #expect(told.count == DueSoon.most)
        told += try bench.perform([.look]).deliveries.map(\.timer.start)
        #expect(told == Array(1...Int64(count)) && bench.keeper.queue.count == 0)
    }
}
