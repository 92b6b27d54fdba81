public import GStreamerKit

/// The clocks the host lives by. Everything that measures or waits gets one of these, so that tests bring their own.
public protocol HostClock: Sendable {
    /// CLOCK_MONOTONIC: stops in suspend, is never set. - Thread: any; allocates nothing.
    func monotonic() -> ClockTime
    /// CLOCK_BOOTTIME: goes on in suspend. - Thread: any; allocates nothing.
    func boottime() -> ClockTime
    /// CLOCK_REALTIME: time since 1970; can be set at any moment. - Thread: any; allocates nothing.
    func realtime() -> ClockTime

    /// Runs `action` once on the control thread, `delay` from now.
    @HostActor func schedule(after delay: ClockTime, _ action: @escaping @HostActor @Sendable () -> Void) -> HostTimer
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
