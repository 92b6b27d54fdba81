internal import CGLib
internal import Glibc
public import GStreamerKit

/// The kernel's clocks; waits are sources on the default main context.
public struct SystemClock: HostClock {
    public init() {}

    public func monotonic() -> ClockTime { Self.read(CLOCK_MONOTONIC) }
    public func coarse() -> ClockTime { Self.read(CLOCK_MONOTONIC_COARSE) }
    public func boottime() -> ClockTime { Self.read(CLOCK_BOOTTIME) }
    public func realtime() -> ClockTime { Self.read(CLOCK_REALTIME) }

    public var coarseTick: ClockTime {
        var tick = timespec()
        clock_getres(CLOCK_MONOTONIC_COARSE, &tick)
        return ClockTime(nanoseconds: Int64(tick.tv_sec) * 1_000_000_000 + Int64(tick.tv_nsec))
    }

    public func schedule(
        after delay: ClockTime, _ action: @escaping @HostActor @Sendable () -> Void
    ) -> HostTimer {
        let source = mh_ready_source_new()
        let box = Unmanaged.passRetained(TimerAction(action))
        g_source_set_callback(
            source,
            { context in
                guard let context else { return 0 }
                let action = Unmanaged<TimerAction>.fromOpaque(context).takeUnretainedValue()
                HostActor.assumeIsolated(action.run)
                return 0
            }, box.toOpaque(), { $0.map { Unmanaged<TimerAction>.fromOpaque($0).release() } })
        // Ready times are microseconds of CLOCK_MONOTONIC; rounding up, so that it is never early.
        let due = (monotonic() + delay).nanoseconds
        g_source_set_ready_time(source, gint64((due + 999) / 1000))
        g_source_attach(source, nil)
        let owned = TimerSource(source)
        return HostTimer { owned.destroy() }
    }

    public func alarm(
        on clock: ClockName, _ action: @escaping @HostActor @Sendable () -> Void
    ) -> (any ClockAlarm)? { SystemAlarm(Self.id(of: clock), action) }

    public func wakeAbility() -> WakeAbility { .machine() }

    public func watchWallClock(
        _ action: @escaping @HostActor @Sendable (_ step: ClockTime) -> Void
    ) -> HostTimer {
        let watch = WallClockWatch(self, action)
        return HostTimer { watch?.stop() }
    }

    private static func id(of clock: ClockName) -> clockid_t {
        switch clock {
        case .monotonic: CLOCK_MONOTONIC
        case .boottime: CLOCK_BOOTTIME
        case .realtime: CLOCK_REALTIME
        case .boottimeAlarm: CLOCK_BOOTTIME_ALARM
        case .realtimeAlarm: CLOCK_REALTIME_ALARM
        }
    }

    private static func read(_ id: clockid_t) -> ClockTime {
        var now = timespec()
        clock_gettime(id, &now)
        return ClockTime(nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
    }
}

/// The timer's own reference, given back with the timer: as long as somebody holds one, the main loop looks at the source in
/// every turn, also when it has long run.
// GSource functions are thread-safe.
private final class TimerSource: @unchecked Sendable {
    private let source: UnsafeMutablePointer<GSource>?

    init(_ source: UnsafeMutablePointer<GSource>?) { self.source = source }

    deinit { g_source_unref(source) }

    func destroy() { g_source_destroy(source) }
}

private final class TimerAction: Sendable {
    let run: @HostActor @Sendable () -> Void
    init(_ run: @escaping @HostActor @Sendable () -> Void) { self.run = run }
}
