import HostTestKit
import PluginABI
import PluginKit
import Testing

extension WasherTests {
    /// Timers of a Swift plugin, on a clock that the test moves.
    @Suite struct TimerTests {
        private func run(_ fake: FakeHost = FakeHost()) throws -> (FakeInstance, Washer) {
            let instance = try FakeInstance.running(
                Washer.descriptor.id, of: PluginEntry.entry(for: Washer.self), in: fake)
            let washer = try #require(Washer.last.withLock { $0.washer })
            #expect(seen(washer) == ["in init: true"])
            washer.seen.withLock { $0 = [] }
            return (instance, washer)
        }

        private func seen(_ washer: Washer) -> [String] { washer.seen.withLock { $0 } }

        @Test func comesAtItsTimeAndOnce() throws {
            let (instance, washer) = try run()
            try washer.arm("wash", after: .seconds(60))
            try washer.arm("rinse", after: .seconds(30))
            try instance.advance(by: .seconds(29))
            #expect(seen(washer) == [])
            try instance.advance(by: .seconds(31))
            #expect(seen(washer) == ["rinse x1 late 0.0 seconds", "wash x1 late 0.0 seconds"])
            #expect(instance.fake.armedTimers == 0)
            try instance.advance(by: .seconds(1000))
            #expect(seen(washer).count == 2)
            instance.end()
        }

        @Test func eachClockHasItsOwnWayThroughSuspend() throws {
            let (instance, washer) = try run()
            for clock in ClockKind.allCases { try washer.arm("\(clock)", after: .seconds(60), on: clock) }
            try instance.suspend(for: .seconds(90))
            let suspendCounts = ["boottime", "realtime", "boottimeAlarm", "realtimeAlarm"]
            #expect(seen(washer) == suspendCounts.map { "\($0) x1 late 30.0 seconds" })
            try instance.advance(by: .seconds(60))
            #expect(seen(washer).last == "monotonic x1 late 0.0 seconds")
            instance.end()
        }

        @Test func whoCannotWakeTheMachineIsTold() throws {
            let (instance, washer) = try run()
            instance.fake.wakesMachine = false
            for clock in [ClockKind.boottimeAlarm, .realtimeAlarm] {
                do throws(PluginError) {
                    try washer.arm("alarm", after: .seconds(60), on: clock)
                    Issue.record("it was armed")
                } catch {
                    #expect(error.code == .unsupported)
                }
            }
            #expect(instance.fake.armedTimers == 0)
            instance.end()
        }

        @Test func aClockThatIsSetIsToldAndFollowed() throws {
            let (instance, washer) = try run()
            try washer.arm("alarm", after: .seconds(3600), on: .realtime)
            try instance.setWallClock(by: .seconds(3601))
            #expect(seen(washer) == ["clock.set 3601000000000", "alarm x1 late 1.0 seconds"])
            instance.end()
        }

        @Test func aRepeatingOneTellsWhatItMissed() throws {
            let (instance, washer) = try run()
            try washer.arm("tick", after: .seconds(1), on: .boottime, every: .seconds(1))
            try instance.advance(by: .seconds(2))
            try instance.suspend(for: .seconds(10))
            #expect(
                seen(washer) == ["tick x1 late 0.0 seconds", "tick x1 late 0.0 seconds", "tick x10 late 0.0 seconds"])
            instance.end()
        }

        @Test func slackIsUsed() throws {
            let (instance, washer) = try run()
            try washer.arm("lax", after: .seconds(1), slack: .seconds(5))
            try washer.arm("strict", after: .seconds(4))
            try instance.advance(by: .seconds(10))
            #expect(seen(washer) == ["lax x1 late 3.0 seconds", "strict x1 late 0.0 seconds"])
            instance.end()
        }

        @Test func droppingTheHandleCancels() throws {
            let (instance, washer) = try run()
            try washer.arm("wash", after: .seconds(60))
            #expect(instance.fake.armedTimers == 1)
            washer.keep("wash", nil)
            #expect(instance.fake.armedTimers == 0)
            let handle = try washer.host.schedule(after: .seconds(1), every: .seconds(1)) { _ in washer.note("never") }
            handle.cancel()
            handle.cancel()
            #expect(instance.fake.armedTimers == 0)
            try instance.advance(by: .seconds(100))
            #expect(seen(washer) == [])
            instance.end()
        }

        @Test func nothingComesAfterTheEndAndNothingIsLeft() throws {
            let (instance, washer) = try run()
            try washer.arm("tick", after: .seconds(1), every: .seconds(1))
            instance.deactivate()
            #expect(instance.fake.armedTimers == 0)
            try instance.advance(by: .seconds(5))
            #expect(seen(washer) == ["deactivate"])
            instance.destroy()
            #expect(throws: PluginError.self) { try washer.arm("late", after: .seconds(1)) }
        }

        /// The closures of `Washer` hold it: the host lets go of them.
        @Test func aPluginThatItsOwnTimerHoldsIsFreedAllTheSame() throws {
            func armAndEnd() throws {
                let (instance, washer) = try run()
                let handle = try washer.host.schedule(after: .seconds(1)) { _ in washer.note("never") }
                instance.end()
                withExtendedLifetime(handle) {}
            }
            try armAndEnd()
            #expect(Washer.last.withLock { $0.washer } == nil)
        }

        @Test func mistakesAndMissingAbilitiesAreNamed() throws {
            let (instance, washer) = try run()
            let empty = #expect(throws: PluginError.self) { try washer.arm("x", after: .zero, every: .zero) }
            #expect(empty?.message == "a timer cannot repeat every 0 s")
            let short = #expect(throws: PluginError.self) { try washer.arm("x", after: .zero, every: .microseconds(1)) }
            #expect(short?.code == .invalid)
            let many = #expect(throws: PluginError.self) {
                for number in 0...256 { try washer.arm("\(number)", after: .seconds(1)) }
            }
            #expect(many?.code == .limit)
            instance.end()
            let lacking = try FakeInstance(
                Washer.descriptor.id, of: PluginEntry.entry(for: Washer.self), in: FakeHost(missing: [MH_EXT_TIMER]))
            #expect(lacking.start() == mh_status(MH_E_UNSUPPORTED))
            #expect(lacking.fake.seen.log.first?.contains(MH_EXT_TIMER) == true)
            lacking.destroy()
        }
    }
}
