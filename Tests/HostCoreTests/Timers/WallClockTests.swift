import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Telling a clock that was set from one that was not, and what follows from it.
@Suite(.timeLimit(.minutes(10))) struct WallClockTests {
    init() { MainLoopThread.start() }

    private func offset(_ nanoseconds: Int64, doubt: Int64) -> WallClockOffset {
        WallClockOffset(offset: ClockTime(nanoseconds: nanoseconds), doubt: ClockTime(nanoseconds: doubt))
    }

    @Test func onlyWhatIsMoreThanDoubtIsAStep() {
        let before = offset(1_000_000, doubt: 100)
        #expect(offset(1_000_000, doubt: 100).step(since: before) == nil)
        #expect(offset(1_000_200, doubt: 100).step(since: before) == nil)
        #expect(offset(1_000_201, doubt: 100).step(since: before)?.nanoseconds == 201)
        #expect(offset(400_000, doubt: 100).step(since: before)?.nanoseconds == -600_000)
    }

    @Test @HostActor func suspendIsNoStep() {
        let clock = VirtualClock()
        let before = WallClockOffset(of: clock)
        clock.advance(by: .seconds(5))
        clock.suspend(for: .seconds(3600))
        #expect(WallClockOffset(of: clock).step(since: before) == nil)
        clock.stepWallClock(by: .seconds(-7))
        #expect(WallClockOffset(of: clock).step(since: before) == .seconds(-7))
    }

    /// The kernel's clocks as they are: nobody sets them here, and reading them twice is no step.
    @Test func theSystemsClocksAreReadTogether() {
        let first = WallClockOffset(of: SystemClock())
        #expect(WallClockOffset(of: SystemClock()).step(since: first) == nil)
        #expect(first.doubt >= .zero && first.doubt < .seconds(1))
    }

    @Test @HostActor func theHostTellsAndLooksAgainAtWhatWaits() async throws {
        let clock = VirtualClock()
        let log = Recorder<String>()
        let configuration = HostConfiguration(pipelines: [])
        var ending: CheckedContinuation<Void, Never>?
        let silent = Log(upTo: .error) { _, _, _ in }
        let host = Host(
            configuration, clock: clock, log: Log(upTo: .debug) { _, _, text in log.record(text) },
            gate: PluginGate(unprobed: PluginSearch(directories: []), log: silent)
        ) { _ in ending?.resume() }
        var told: [Event] = []
        _ = host.events.subscribe { if $0.name == "clock.set" { told.append($0) } }
        #expect(host.start().isEmpty)
        var fired: [UInt64] = []
        let due = clock.realtime() + .seconds(3600)
        let timer = host.timers.arm(.init(due: due, interval: .seconds(60)), on: .realtime) {
            fired.append($0.expirations)
        }
        #expect(timer != nil)
        clock.suspend(for: .seconds(60))
        #expect(told.isEmpty && fired.isEmpty)
        clock.stepWallClock(by: .seconds(3600))
        #expect(told.map { $0.payload["step_ns"] } == [.int(3_600_000_000_000)])
        #expect(told.first?.payload["realtime_ns"] == .int(clock.realtime().nanoseconds))
        #expect(told.first?.source == "host")
        #expect(fired == [2])
        #expect(log.elements.contains("the wall clock was set forward by 1h"))
        // Back by half an hour: it goes on in a minute, not in half an hour, but not before its first time.
        clock.stepWallClock(by: .seconds(-30))
        clock.advance(by: .seconds(30))
        #expect(fired == [2, 1])
        await withCheckedContinuation {
            ending = $0
            host.shutDown()
        }
        clock.stepWallClock(by: .seconds(5))
        #expect(told.count == 2)
    }
}
