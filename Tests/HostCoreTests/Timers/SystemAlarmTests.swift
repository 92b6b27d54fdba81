import CGLib
import GStreamerKit
import Glibc
import HostTestKit
import Testing

@testable import HostCore

/// The kernel's own timers. How long they take is not looked at: only that they come, and not early.
@Suite(.timeLimit(.minutes(10))) struct SystemAlarmTests {
    init() { MainLoopThread.start() }

    /// Those that wake a machine are for processes that may.
    private static let clocks = ClockName.allCases.filter { name in
        let file = mh_timer_file_new(CLOCK_BOOTTIME_ALARM)
        if file >= 0 { close(file) }
        return !name.wakes || file >= 0
    }

    @Test(arguments: clocks) @HostActor func comesOnceAndNeverEarly(_ name: ClockName) async throws {
        let clock = SystemClock()
        let due = clock.now(name) + .milliseconds(5)
        let bell = Bell()
        let alarm = try #require(clock.alarm(on: name) { bell.ring(clock.now(name)) })
        alarm.set(due)
        #expect(await bell.next() >= due)
        // What is past comes at once; so does zero, which is no time at all for the kernel.
        alarm.set(.zero)
        #expect(await bell.next() >= due)
        alarm.set(ClockTime(nanoseconds: -5))
        #expect(await bell.next() >= due)
    }

    @Test @HostActor func oneThatIsMovedComesAtItsNewTime() async throws {
        let clock = SystemClock()
        let bell = Bell()
        let alarm = try #require(clock.alarm(on: .monotonic) { bell.ring(clock.monotonic()) })
        alarm.set(clock.monotonic() + .seconds(3600))
        alarm.set(nil)
        let due = clock.monotonic() + .milliseconds(3)
        alarm.set(due)
        let came = await bell.next()
        #expect(came >= due && came < due + .seconds(3600))
    }

    @Test @HostActor func theServiceWaitsOnAllOfThemAtOnce() async throws {
        let service = TimerService(clock: SystemClock())
        let bell = Bell()
        for name in Self.clocks {
            let due = SystemClock().now(name) + .milliseconds(1)
            _ = try #require(service.arm(.init(due: due), on: name) { bell.ring($0.late) })
        }
        for _ in Self.clocks { #expect(await bell.next() >= .zero) }
        #expect(service.count == 0)
    }

    @Test @HostActor func theWatchOfTheWallClockCanBeStarted() async throws {
        let bell = Bell()
        let watch = SystemClock().watchWallClock { bell.ring($0) }
        await withCheckedContinuation { continuation in HostActor.enqueue { continuation.resume() } }
        #expect(bell.rung.isEmpty)
        watch.cancel()
        watch.cancel()
    }
}

/// Hands what came to who waits for it, in order.
@HostActor
private final class Bell {
    private(set) var rung: [ClockTime] = []
    private var waiter: CheckedContinuation<ClockTime, Never>?

    nonisolated init() {}

    func ring(_ time: ClockTime) {
        guard let waiter else { return rung.append(time) }
        self.waiter = nil
        waiter.resume(returning: time)
    }

    func next() async -> ClockTime {
        if !rung.isEmpty { return rung.removeFirst() }
        return await withCheckedContinuation { waiter = $0 }
    }
}
