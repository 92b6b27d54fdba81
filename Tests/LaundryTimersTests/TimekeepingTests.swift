import Testing

@testable import LaundryTimers

/// Which clock a stored timer is read by, after a restart.
@Suite struct TimekeepingTests {
    private let before = BootRecord(row: 1, offset: newYear, trust: .synchronised, last: 500 * second)
    private let timer = ActiveTimer(
        start: 1, kind: .wash, run: .elapsed(boot: 1, due: 3600 * second), startedAt: newYear, duration: 3600 * second,
        stateBefore: .idle, stageBefore: .idle)

    private func time(
        boot: Int64, _ boottime: Int64, _ realtime: Int64, _ trust: ClockTrust, _ record: BootRecord? = nil
    )
        -> Timekeeping
    {
        Timekeeping(
            now: Moment(boottime: boottime, realtime: realtime), boot: boot, trust: trust,
            past: [1: record ?? before])
    }

    @Test(arguments: [ClockTrust.implausible, .plausible, .synchronised])
    func inTheSameBootTheWallClockDoesNotMatter(_ trust: ClockTrust) {
        let time = time(boot: 1, 600 * second, 0, trust)
        #expect(time.place(timer) == .line(.boottime, due: 3600 * second))
        #expect(time.remaining(timer) == 3000 * second && time.settled(timer) == nil)
    }

    @Test func inAnotherBootASetClockGivesABoottimeOfThisOne() {
        let time = time(boot: 2, 10 * second, newYear + 3000 * second, .synchronised)
        #expect(time.place(timer) == .line(.boottime, due: 610 * second))
        #expect(time.remaining(timer) == 600 * second)
        #expect(time.settled(timer)?.run == .elapsed(boot: 2, due: 610 * second))
    }

    @Test func aClockThatMayStillBeSetIsFollowed() {
        let time = time(boot: 2, 10 * second, newYear + 3000 * second, .plausible)
        #expect(time.place(timer) == .line(.realtime, due: newYear + 3600 * second))
        #expect(time.settled(timer) == nil)
    }

    /// Boards that wake in 1970.
    @Test func aClockThatIsNothingIsWaitedFor() {
        let time = time(boot: 2, 10 * second, 5 * second, .implausible)
        #expect(time.place(timer) == .waitingForClock)
        #expect(time.remaining(timer) == nil && time.lateness(timer) == nil)
        var wall = timer
        wall.run = .wall(boot: 1, due: newYear)
        #expect(time.place(wall) == .waitingForClock)
        wall.run = .wall(boot: 2, due: newYear)
        #expect(time.place(wall) == .line(.realtime, due: newYear))
    }

    /// Late, never early: nobody knows how long it was off.
    @Test func whereTheClockWasNothingTheRestBeginsNow() {
        let unknown = BootRecord(row: 1, offset: 0, trust: .implausible, last: 500 * second)
        for trust in [ClockTrust.implausible, .synchronised] {
            let time = time(boot: 2, 10 * second, newYear, trust, unknown)
            #expect(time.remaining(timer) == 3100 * second)
        }
    }

    /// An offline board a month behind is switched off for a minute, and gets the right time: the month is nobody's washing.
    @Test func aCorrectionOfTheClockEndsNoTimer() {
        let unset = BootRecord(row: 1, offset: newYear, trust: .plausible, last: 500 * second)
        let time = time(boot: 2, 10 * second, newYear + 30 * 86_400 * second, .synchronised, unset)
        #expect(time.remaining(timer) == 3100 * second)
    }

    /// Before anybody sets it.
    @Test func aClockThatWentOnByItselfIsBelievedAtOnce() {
        let unset = BootRecord(row: 1, offset: newYear, trust: .plausible, last: 500 * second)
        #expect(
            time(boot: 2, 10 * second, newYear + 3000 * second, .plausible, unset).settled(timer)?.run
                == .elapsed(boot: 2, due: 610 * second))
        #expect(time(boot: 2, 10 * second, 5 * second, .implausible, unset).place(timer) == .waitingForClock)
    }

    @Test func trust() {
        func judge(_ realtime: Int64, _ seen: Int64?, _ isSynchronised: Bool = false) -> ClockTrust {
            ClockTrust.judge(realtime: realtime, isSynchronised: isSynchronised, seen: seen)
        }
        #expect(judge(0, nil) == .implausible)
        #expect(judge(newYear, nil) == .plausible)
        #expect(judge(newYear, newYear) == .plausible)
        #expect(judge(newYear - 1, newYear) == .implausible)
        #expect(judge(newYear - 1, newYear, true) == .synchronised)
        // A time service without a server says so, too.
        #expect(judge(100 * second, nil, true) == .implausible)
        #expect(judge(ClockTrust.earliest, nil, true) == .synchronised)
    }

    @Test func timesAtTheEndsOfTimeTrapNowhere() {
        var odd = timer
        for due in [Int64.min, .max] {
            for record in [before, BootRecord(row: 1, offset: due, trust: .synchronised, last: due)] {
                for now in [Int64.min, 0, .max] {
                    for run in [
                        ActiveTimer.Run.elapsed(boot: 1, due: due), .wall(boot: 1, due: due),
                        .paused(.wall, remaining: due),
                    ] {
                        odd.run = run
                        let time = time(boot: 2, now, now, .synchronised, record)
                        _ = (time.place(odd), time.remaining(odd), time.lateness(odd))
                    }
                }
            }
        }
    }
}
