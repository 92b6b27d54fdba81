import Testing

@testable import LaundryTimers
@testable import PluginKit

/// What comes again: by a calendar, and by a span of time.
@Suite struct ScheduleTests {
    private static let day: Int64 = 86_400 * second

    private func request(
        every: Int64? = nil, _ calendar: String? = nil, name: String? = nil, kind: TimerKind = .cycle,
        basis: Basis? = nil
    ) -> TimerOrder {
        .schedule(
            ScheduleRequest(
                pet: "snowy", kind: kind, name: name, calendar: calendar, every: every.map { .nanoseconds($0) },
                basis: basis))
    }

    private func schedules(_ bench: Bench) throws -> [ScheduleReport] {
        guard case .schedules(let list) = try bench.ask(.schedules(after: 0, limit: 100)) else { return [] }
        return list.schedules
    }

    /// Without a drift, over restarts and reboots, each once.
    @Test func aSpanComesAgainAndAgain() throws {
        var bench = try Bench()
        try bench.ask(request(every: 3600 * second))
        var told: [Int64] = []
        for round in 0..<60 {
            bench.pass(17 * minute + Int64(round))
            if round % 3 == 0 { try bench.restart() }
            if round % 7 == 0 {
                bench.boot = "boot-\(round)"
                bench.now.boottime = 5 * second
                try bench.restart()
            }
            let open = try bench.perform().deliveries
            told += open.map { $0.timer.finishedAt - newYear }
            _ = try bench.ask(.delivered(open.map(\.timer.start)))
        }
        let passed = bench.now.realtime - newYear
        #expect(told == (1...passed / (3600 * second)).map { $0 * 3600 * second })
        #expect(try schedules(bench).map(\.next) == [newYear + Int64(told.count + 1) * 3600 * second])
    }

    /// On a board that nobody visits it is no more from year to year; what a user started himself stays.
    @Test func momentsThatNobodyAcknowledgesAreTheNewestHundred() throws {
        var bench = try Bench()
        try bench.ask(.start(StartRequest(pet: "snowy", kind: .wash, duration: .seconds(1), basis: nil)))
        try bench.ask(request(every: 60 * second))
        var told: [Int64] = []
        for _ in 0..<250 {
            bench.pass(60 * second)
            told += try bench.perform().deliveries.map(\.timer.start)
        }
        #expect(told == Array(1...251))
        var open = try bench.keeper.store.openTimers(limit: .max).map(\.timer.start)
        #expect(open == [1] + Array(152...251))
        try bench.restart()
        open = try bench.perform().deliveries.map(\.timer.start).sorted()
        // None is told less for it: those that are done with, too.
        #expect(open == Array(1...251))
        #expect(try bench.keeper.store.openTimers(limit: .max).count == 101)
    }

    @Test func aCalendarComesAgain() throws {
        var bench = try Bench()
        // newYear is a Thursday.
        try bench.ask(request("Sat 09:00", kind: .wash))
        #expect(try schedules(bench).first?.next == newYear + 2 * Self.day + 9 * 3600 * second)
        bench.pass(2 * Self.day + 9 * 3600 * second - 1)
        #expect(try bench.perform().deliveries.isEmpty)
        bench.pass(1)
        let open = try #require(try bench.perform().deliveries.first)
        #expect(open.schedule == "wash" && open.timer.late == 0 && open.timer.missed == 0 && open.key == "snowy/1")
        #expect(open.nextStep == .startDryer)
        #expect(try bench.status()?.state == .neutral && bench.status()?.stage == .drying)
        #expect(try bench.perform().deliveries.isEmpty)
        #expect(try schedules(bench).first?.next == newYear + 9 * Self.day + 9 * 3600 * second)
    }

    /// A board that was off for three weeks tells the last one, and how many it missed.
    @Test func whatWasMissedIsOne() throws {
        var bench = try Bench()
        try bench.ask(request("daily", name: "day"))
        try bench.ask(request(every: Self.day, name: "span"))
        bench.pass(21 * Self.day + 3600 * second)
        try bench.restart()
        let told = try bench.perform().deliveries.sorted { ($0.schedule ?? "") < ($1.schedule ?? "") }
        #expect(told.map(\.schedule) == ["day", "span"] && told.map(\.timer.missed) == [20, 20])
        #expect(told.map(\.timer.late) == [3600 * second, 3600 * second])
        #expect(told.map(\.timer.finishedAt) == [newYear + 21 * Self.day, newYear + 21 * Self.day])
        try bench.restart()
        // Not noted as delivered: again, with the same.
        #expect(try bench.perform().deliveries.map(\.timer.missed) == [20, 20])
    }

    /// A clock that is corrected by a little doubles nothing; one that was wrong by far counts from now.
    @Test func aClockThatIsSetBack() throws {
        var bench = try Bench()
        try bench.ask(request("daily"))
        bench.pass(Self.day + second)
        #expect(try bench.perform().deliveries.count == 1)
        bench.now.realtime -= 10 * second
        #expect(try bench.perform().deliveries.isEmpty)
        bench.pass(11 * second)
        #expect(try bench.perform().deliveries.isEmpty)
        bench.now.realtime -= 300 * Self.day
        _ = try bench.perform()
        #expect(try schedules(bench).first?.next == newYear - 299 * Self.day + Self.day)
        bench.pass(Self.day)
        #expect(try bench.perform().deliveries.count == 1)
    }

    /// A board that wakes in 1970 does not tell 56 years of days when its clock is set.
    @Test func aClockThatIsNotSet() throws {
        var bench = try Bench()
        bench.isSynchronised = false
        bench.now.realtime = 100 * second
        try bench.ask(request("daily"))
        #expect(try schedules(bench).first?.next == nil)
        try bench.restart()
        bench.isSynchronised = true
        bench.now.realtime = newYear + 3600 * second
        #expect(try bench.perform().deliveries.isEmpty)
        #expect(try schedules(bench).first?.next == newYear + Self.day)
        bench.pass(23 * 3600 * second)
        #expect(try bench.perform().deliveries.count == 1)
    }

    /// The board goes on a journey: the next one is by the clock on the wall there.
    @Test func theZoneChanges() throws {
        let bench = try Bench()
        func next(_ zone: String) throws -> Int64? {
            let round = try bench.keeper.perform(
                [.schedules(after: 0, limit: 1)], at: bench.now, isSynchronised: true, zone: zone)
            guard case .schedules(let list) = try round.answers[0].get() else { return nil }
            #expect(round.deliveries.isEmpty && list.schedules.first?.zone == zone)
            return list.schedules.first?.next
        }
        try bench.ask(request("09:00"))
        #expect(try next("UTC") == newYear + 9 * 3600 * second)
        #expect(try next("Europe/Berlin") == newYear + 8 * 3600 * second)
        #expect(try next("Asia/Tokyo") == newYear + Self.day)
        #expect(try next("UTC") == newYear + 9 * 3600 * second)
    }

    /// A moment while a timer runs is told, and says nothing of the pet.
    @Test func aTimerThatRunsGoesOn() throws {
        var bench = try Bench()
        try bench.ask(request(every: 10 * minute))
        _ = try bench.start()
        bench.pass(10 * minute)
        #expect(try bench.perform().deliveries.map(\.schedule) == ["cycle"])
        #expect(try bench.status()?.state == .washing)
        bench.pass(35 * minute)
        #expect(try bench.perform().deliveries.map(\.key).sorted() == ["snowy/1", "snowy/3"])
    }

    @Test func schedulesAreReplacedAndEnd() throws {
        var bench = try Bench()
        try bench.ask(request(every: 3600 * second))
        bench.pass(1800 * second)
        // The same once more, as a config says it at each start: it goes on.
        try bench.ask(request(every: 3600 * second))
        #expect(try schedules(bench).map(\.remaining) == [.seconds(1800)])
        try bench.ask(request(every: 7200 * second))
        #expect(try schedules(bench).map(\.remaining) == [.seconds(7200)])
        try bench.ask(request("daily", name: "b"))
        #expect(try schedules(bench).map(\.name) == ["cycle", "b"])
        try bench.restart()
        #expect(try schedules(bench).map(\.name) == ["cycle", "b"])
        _ = try bench.ask(.unschedule("snowy", "cycle"))
        #expect(throws: (any Error).self) { try bench.ask(.unschedule("snowy", "cycle")) }
        _ = try bench.ask(.removePet("snowy"))
        bench.pass(3 * Self.day)
        #expect(try bench.perform().deliveries.isEmpty && schedules(bench).isEmpty)
        #expect(try bench.keeper.store.schedules().isEmpty)
    }

    @Test func refusals() throws {
        let bench = try Bench()
        for order in [
            request(), request(every: second, "daily"), request("Funday"), request("daily", basis: .elapsed),
            request("daily", name: ""), request("daily", name: String(repeating: "x", count: 65)),
            .schedule(
                ScheduleRequest(
                    pet: "nobody", kind: .wash, name: nil, calendar: "daily", every: nil, basis: nil)),
        ] {
            #expect(throws: PluginError.self) { try bench.ask(order) }
        }
    }
}
