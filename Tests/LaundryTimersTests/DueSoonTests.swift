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
        // The commit of the first makes the second ready.
        try bench.ask(.look)
        #expect(bench.keeper.dueSoon.next == began + 10 * second + 400_000_000)
        #expect(bench.keeper.nextRound(.boottime) == began + 10 * second + Self.lead)
        bench.pass(400_000_000)
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
        try bench.restart()
        #expect(bench.keeper.redeliveries == 1)
        bench.pass(second)
        #expect(
            try bench.perform([.look]).deliveries.map { "\($0.key):\($0.timer.attempts)" }
                == ["snowy/1:2", "fluffy/2:1"])
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
        #expect(bench.keeper.dueSoon.room == 0)
        bench.pass(Self.lead)
        var told: [Int64] = bench.keeper.dueSoon.take(at: bench.now).map(\.timer.start)
        #expect(told.count == DueSoon.most)
        told += try bench.perform([.look]).deliveries.map(\.timer.start)
        #expect(told == Array(1...Int64(count)) && bench.keeper.queue.count == 0)
    }
}
