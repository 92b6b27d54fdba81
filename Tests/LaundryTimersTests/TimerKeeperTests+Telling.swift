import HostTestKit
import Testing

@testable import LaundryTimers

/// In which order, and of what, somebody is told.
extension TimerKeeperTests {
    /// Of both clocks, of schedules, and more of them than one transaction takes.
    @Test func aCrowdIsHandedOnInTheOrderInWhichItWasDue() throws {
        let count = TimerKeeper.crowd + 2000
        var bench = try Bench(pets: (0..<count).map { "pet\($0)" })
        var random = Campaign(rounds: count)
        let starts = (0..<count).map { number in
            StartRequest(
                pet: "pet\(number)", kind: .wash,
                duration: .milliseconds(Int.random(in: 1...3_000_000, using: &random)),
                basis: Bool.random(using: &random) ? .wall : .elapsed)
        }
        _ = try bench.ask(.startMany(starts))
        try bench.ask(
            .schedule(ScheduleRequest(pet: "pet0", kind: .wash, name: nil, calendar: "*:10", every: nil, basis: nil)))
        bench.pass(3600 * second)
        let told = try bench.perform().deliveries
        #expect(told.count == count + 1)
        let ends = told.map(\.timer.finishedAt)
        #expect(ends == ends.sorted(), Comment(rawValue: random.note))
        // The next host has no other order.
        try bench.restart()
        #expect(try bench.perform().deliveries.map(\.key) == told.map(\.key))
    }

    /// The next start, a stop or an acknowledgement comes before anybody was told: it is told all the same, by the next host, too.
    @Test(arguments: [
        TimerOrder.acknowledge("snowy"), .acknowledge("snowy/1"), .stop("snowy"),
        .start(StartRequest(pet: "snowy", kind: .dry, duration: nil, basis: nil)),
    ])
    func whatIsAcknowledgedUntoldIsTold(_ order: TimerOrder) throws {
        var bench = try Bench()
        _ = try bench.start()
        bench.pass(45 * minute)
        #expect(try bench.perform([order]).deliveries.map(\.key) == ["snowy/1"])
        guard case .list(let list) = try bench.ask(.list(after: 0, limit: 10)) else { return }
        #expect(list.due == 0 && list.finished.isEmpty)
        // Killed before it went out.
        try bench.restart()
        let told = try bench.perform().deliveries
        #expect(told.map(\.key) == ["snowy/1"] && told.map(\.isSilent) == [true] && told.map(\.timer.attempts) == [2])
        guard case .pending(let pending) = try bench.ask(.pending) else { return }
        #expect(pending.undelivered == 1)
        _ = try bench.ask(.delivered([1]))
        try bench.restart()
        #expect(try bench.perform().deliveries.isEmpty && bench.keeper.redeliveries == 0)
        #expect(try bench.perform([.replay(after: 0)]).deliveries.isEmpty)
    }

    /// A new board without a battery: its pets are not neglected for 56 years when the clock is set.
    @Test(arguments: [true, false])
    func whatAClockThatIsNothingDatedIsAsOfNow(_ isRestarted: Bool) throws {
        var bench = try Bench()
        bench.isSynchronised = false
        bench.now.realtime = 100 * second
        _ = try bench.ask(.definePet(PetDefinition(id: "new")))
        _ = try bench.start("new", .wash, 60 * second)
        bench.pass(60 * second)
        // Nobody notes that it was told.
        #expect(try bench.perform().deliveries.count == 1)
        if isRestarted { try bench.restart() }
        #expect(try bench.status("new")?.health == 100)
        bench.isSynchronised = true
        bench.now.realtime = newYear
        #expect(try bench.status("new")?.health == 100)
        bench.pass(7 * 43_200 * second)
        #expect(try bench.status("new")?.health == 50)
        try bench.restart()
        // It was over a moment ago, or a week: not 56 years.
        #expect(try bench.perform().deliveries.map(\.age) == [0])
        #expect(try bench.status("new")?.health == 50)
    }
}
