public import GStreamerKit

/// The clocks the host lives by. Everything that measures or waits gets one of these, so that tests bring their own.
public protocol HostClock: Sendable {
    /// CLOCK_MONOTONIC: stops in suspend, is never set. - Thread: any; allocates nothing.
    func monotonic() -> ClockTime
    /// As `monotonic`, but up to `coarseTick` behind, for a fraction of its cost. - Thread: any; allocates nothing.
    func coarse() -> ClockTime
    /// How far `coarse` may be behind. - Thread: any.
    var coarseTick: ClockTime { get }
    /// CLOCK_BOOTTIME: goes on in suspend. - Thread: any; allocates nothing.
    func boottime() -> ClockTime
    /// CLOCK_REALTIME: time since 1970; can be set at any moment. - Thread: any; allocates nothing.
    func realtime() -> ClockTime

    /// Runs `action` once on the control thread, `delay` from now.
    @HostActor func schedule(after delay: ClockTime, _ action: @escaping @HostActor @Sendable () -> Void) -> HostTimer

    /// A wait on one of the clocks, armed for nothing yet. It ends when it is let go.
    /// - Returns: nil where the system has none to give, and where it wakes no machine though the clock's name says so.
    @HostActor func alarm(
        on clock: ClockName, _ action: @escaping @HostActor @Sendable () -> Void
    ) -> (any ClockAlarm)?

    /// Whether waits on `boottimeAlarm` and `realtimeAlarm` can be had. - Thread: any.
    func wakeAbility() -> WakeAbility

    /// Runs `action` on the control thread each time the wall clock was set, with how far. Neither slewing nor suspend count.
    /// - Returns: the end of it.
    @HostActor func watchWallClock(
        _ action: @escaping @HostActor @Sendable (_ step: ClockTime) -> Void
    ) -> HostTimer
}

extension HostClock {
    public func coarse() -> ClockTime { monotonic() }
    public var coarseTick: ClockTime { .zero }

    /// - Thread: any; allocates nothing.
    public func now(_ clock: ClockName) -> ClockTime {
        switch clock {
        case .monotonic: monotonic()
        case .boottime, .boottimeAlarm: boottime()
        case .realtime, .realtimeAlarm: realtime()
        }
    }
}

/// One scheduled action. Cancelling twice, or after it ran, is harmless; dropping the token does not cancel.
@HostActor
public final class HostTimer {
    private var onCancel: (@HostActor () -> Void)?

    public init(onCancel: @escaping @HostActor () -> Void) { self.onCancel = onCancel }

    public func cancel() {
        onCancel?()
        onCancel = nil
    }
}
