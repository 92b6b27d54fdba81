import GStreamerKit
import HostTestKit
import PluginABI
import Testing

@testable import HostCore

/// mh.timer as a plugin sees it, on a virtual clock.
@Suite(.timeLimit(.minutes(10))) struct PluginTimerTests {
    init() { MainLoopThread.start() }

    @HostActor
    private struct Timers {
        let it: ScriptedPlugin

        func arm(
            _ clock: Int, _ at: ClockTime, every interval: Int64 = 0, slack: Int64 = 0
        ) -> (status: mh_status, token: mh_token) {
            var request = mh_timer_1(
                clock: mh_clock_id(clock), reserved: 0, at: at.nanoseconds, repeat: interval, slack: slack)
            var token: mh_token = 99
            let table = it.table(MH_EXT_TIMER, as: mh_timer_host_1.self)
            return (table?.pointee.arm?(it.host, &request, &token) ?? 1, token)
        }

        func cancel(_ token: mh_token) -> mh_status {
            it.table(MH_EXT_TIMER, as: mh_timer_host_1.self)?.pointee.cancel?(it.host, token) ?? 1
        }
    }

    @Test @HostActor func comesAtItsTimeOnItsClock() async throws {
        let it = ScriptedPlugin()
        let timers = Timers(it: it)
        var told: [mh_token] = []
        var late: [Int64] = []
        it.onTimer = {
            told.append($0.timer)
            late.append($0.late)
        }
        let instance = try it.make()
        try instance.activate()
        let monotonic = timers.arm(MH_CLOCK_MONOTONIC, it.clock.monotonic() + .seconds(10))
        let boottime = timers.arm(MH_CLOCK_BOOTTIME, it.clock.boottime() + .seconds(10))
        let realtime = timers.arm(MH_CLOCK_REALTIME, it.clock.realtime() + .seconds(11))
        #expect([monotonic, boottime, realtime].allSatisfy { $0.status == 0 && $0.token != 0 })
        it.clock.advance(by: .seconds(9))
        #expect(told.isEmpty)
        // Asleep for a minute: what counts suspend is late, the other has a second to go.
        it.clock.suspend(for: .seconds(60))
        #expect(told == [boottime.token, realtime.token])
        #expect(late == [59_000_000_000, 58_000_000_000])
        it.clock.advance(by: .seconds(1))
        #expect(told.last == monotonic.token && late.last == 0)
        #expect(it.timers.count == 0 && it.clock.pendingCount == 0)
        #expect(timers.cancel(monotonic.token) == mh_status(MH_E_NOT_FOUND))
        await it.end(instance)
    }

    @Test @HostActor func missedTimesAreOneCall() async throws {
        let it = ScriptedPlugin()
        let timers = Timers(it: it)
        var told: [UInt64] = []
        it.onTimer = { told.append($0.expirations) }
        let instance = try it.make()
        try instance.activate()
        let armed = timers.arm(MH_CLOCK_BOOTTIME, it.clock.boottime() + .seconds(1), every: 1_000_000_000)
        it.clock.advance(by: .seconds(3))
        #expect(told == [1, 1, 1])
        it.clock.suspend(for: .seconds(100))
        #expect(told == [1, 1, 1, 100])
        #expect(timers.cancel(armed.token) == 0)
        it.clock.advance(by: .seconds(3))
        #expect(told.count == 4 && it.clock.pendingCount == 0)
        await it.end(instance)
    }

    @Test @HostActor func aTimerMayArmAndCancelOthersInItsCall() async throws {
        let it = ScriptedPlugin()
        let timers = Timers(it: it)
        var told: [mh_token] = []
        let instance = try it.make()
        try instance.activate()
        let due = it.clock.monotonic() + .seconds(1)
        let first = timers.arm(MH_CLOCK_MONOTONIC, due)
        let second = timers.arm(MH_CLOCK_MONOTONIC, due)
        var third: mh_token = 0
        it.onTimer = { expiry in
            told.append(expiry.timer)
            guard expiry.timer == first.token else { return }
            #expect(timers.cancel(second.token) == 0)
            #expect(timers.cancel(first.token) == mh_status(MH_E_NOT_FOUND))
            third = timers.arm(MH_CLOCK_MONOTONIC, due).token
        }
        it.clock.advance(by: .seconds(1))
        #expect(told == [first.token, third] && third != 0)
        await it.end(instance)
    }

    @Test @HostActor func whatMakesNoSenseIsRefused() async throws {
        let it = ScriptedPlugin()
        let timers = Timers(it: it)
        let instance = try it.make()
        let now = it.clock.monotonic()
        #expect(timers.arm(MH_CLOCK_MONOTONIC, now) == (mh_status(MH_E_STATE), 0))
        try instance.activate()
        let invalid = mh_status(MH_E_INVALID)
        #expect(timers.arm(5, now).status == invalid)
        #expect(timers.arm(-1, now).status == invalid)
        #expect(timers.arm(MH_CLOCK_MONOTONIC, ClockTime(nanoseconds: .min)).status == invalid)
        #expect(timers.arm(MH_CLOCK_MONOTONIC, now, every: 999_999).status == invalid)
        #expect(timers.arm(MH_CLOCK_MONOTONIC, now, every: -1).status == invalid)
        #expect(timers.arm(MH_CLOCK_MONOTONIC, now, slack: -1) == (invalid, 0))
        let table = it.table(MH_EXT_TIMER, as: mh_timer_host_1.self)
        #expect(table?.pointee.arm?(it.host, nil, nil) == invalid)
        #expect(it.timers.count == 0)
        await it.end(instance)
        #expect(timers.arm(MH_CLOCK_MONOTONIC, now).status == mh_status(MH_E_STATE))
    }

    @Test @HostActor func withoutAFunctionToCallNothingIsArmed() async throws {
        let it = ScriptedPlugin()
        it.lacks = [MH_EXT_TIMER]
        let instance = try it.make()
        try instance.activate()
        #expect(Timers(it: it).arm(MH_CLOCK_MONOTONIC, .zero).status == mh_status(MH_E_UNSUPPORTED))
        await it.end(instance)
    }

    /// As its clock without an alarm: late after sleep here, where no machine is woken. Who cannot have one is told, and the log says why.
    @Test @HostActor func anAlarmIsForMachinesThatCanBeWoken() async throws {
        let it = ScriptedPlugin()
        let timers = Timers(it: it)
        var told: [mh_token] = []
        it.onTimer = { told.append($0.timer) }
        let instance = try it.make()
        try instance.activate()
        let clocks = [
            (MH_CLOCK_BOOTTIME_ALARM, it.clock.boottime()), (MH_CLOCK_REALTIME_ALARM, it.clock.realtime()),
        ]
        for problem in [WakeAbility.noAlarm, .notPermitted] {
            it.clock.setWakeAbility(problem)
            for (clock, now) in clocks {
                #expect(timers.arm(clock, now) == (mh_status(MH_E_UNSUPPORTED), 0))
            }
        }
        #expect(it.lines("no real-time clock with an alarm") == 1 && it.lines("CAP_WAKE_ALARM") == 0)
        it.clock.setWakeAbility(.able)
        let armed = clocks.map { timers.arm($0, $1 + .seconds(10)) }
        #expect(armed.allSatisfy { $0.status == 0 && $0.token != 0 })
        // What is there stays.
        it.clock.setWakeAbility(.noAlarm)
        let third = timers.arm(MH_CLOCK_BOOTTIME_ALARM, it.clock.boottime() + .seconds(10))
        it.clock.suspend(for: .seconds(10))
        #expect(Set(told) == Set(armed.map(\.token) + [third.token]))
        let wall = timers.arm(MH_CLOCK_REALTIME_ALARM, it.clock.realtime() + .seconds(10)).token
        it.clock.stepWallClock(by: .seconds(10))
        it.timers.wallClockWasSet()
        #expect(told.last == wall)
        await it.end(instance)
        #expect(it.timers.count == 0)
    }

    @Test @HostActor func tooManyAreRefusedAndNamedOnce() async throws {
        let it = ScriptedPlugin()
        let timers = Timers(it: it)
        let instance = try it.make()
        try instance.activate()
        let due = it.clock.monotonic() + .seconds(1)
        let armed = (0..<258).map { _ in timers.arm(MH_CLOCK_MONOTONIC, due) }
        #expect(armed.prefix(256).allSatisfy { $0.status == 0 })
        #expect(armed.suffix(2).allSatisfy { $0 == (mh_status(MH_E_LIMIT), 0) })
        #expect(it.lines("wants more than 256 timers") == 1)
        #expect(instance.counters["refused_timers"] == 2)
        #expect(timers.cancel(armed[0].token) == 0)
        #expect(timers.arm(MH_CLOCK_MONOTONIC, due).status == 0)
        await it.end(instance)
    }

    @Test @HostActor func allEndWithTheInstance() async throws {
        let it = ScriptedPlugin()
        let timers = Timers(it: it)
        var told = 0
        it.onTimer = { _ in told += 1 }
        it.onActivate = {
            timers.arm(MH_CLOCK_MONOTONIC, it.clock.monotonic(), every: 1_000_000_000).status
        }
        let instance = try it.make()
        try instance.activate()
        it.clock.advance(by: .zero)
        #expect(told == 1)
        await it.end(instance)
        #expect(it.timers.count == 0 && it.clock.pendingCount == 0)
        it.clock.advance(by: .seconds(10))
        #expect(told == 1)
    }

    @Test @HostActor func slackSavesWakeUps() async throws {
        let it = ScriptedPlugin()
        let timers = Timers(it: it)
        var told: [Int64] = []
        it.onTimer = { _ in told.append(it.clock.monotonic().nanoseconds / 1_000_000) }
        let instance = try it.make()
        try instance.activate()
        let start = it.clock.monotonic()
        #expect(timers.arm(MH_CLOCK_MONOTONIC, start + .milliseconds(10), slack: 50_000_000).status == 0)
        #expect(timers.arm(MH_CLOCK_MONOTONIC, start + .milliseconds(40)).status == 0)
        it.clock.advance(by: .seconds(1))
        let base = start.nanoseconds / 1_000_000
        #expect(told == [base + 40, base + 40])
        await it.end(instance)
    }

    @Test @HostActor func aCancelFromAnotherThreadIsFollowed() async throws {
        let it = ScriptedPlugin()
        let instance = try it.make()
        try instance.activate()
        let token = Timers(it: it).arm(MH_CLOCK_MONOTONIC, it.clock.monotonic() + .seconds(1)).token
        // Constant; the context behind it may be reached from any thread.
        nonisolated(unsafe) let host = it.host
        nonisolated(unsafe) let table = it.table(MH_EXT_TIMER, as: mh_timer_host_1.self)
        let status = await Task.detached { table?.pointee.cancel?(host, token) }.value
        #expect(status == 0)
        await it.turns(2)
        #expect(it.timers.count == 0)
        await it.end(instance)
    }
}
