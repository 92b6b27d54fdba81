public import GStreamerKit
public import HostCore
import Locking

/// A clock that moves only when told: waits end in the order they are due, without any real time passing.
///
/// Lock order: `state` is a leaf; actions run without it.
public final class VirtualClock: HostClock {
    private struct State {
        var now = ClockTime.seconds(1000)
        /// CLOCK_BOOTTIME and CLOCK_REALTIME, as distances from `now`.
        var suspended = ClockTime.zero
        var realtime = ClockTime.seconds(1_700_000_000)
        var next = 0
        var waiting: [Int: (due: ClockTime, action: @HostActor @Sendable () -> Void)] = [:]
    }

    private let state = Locked(State())

    public init() {}

    public func monotonic() -> ClockTime { state.withLock { $0.now } }
    public func boottime() -> ClockTime { state.withLock { $0.now + $0.suspended } }
    public func realtime() -> ClockTime { state.withLock { $0.now + $0.realtime } }

    public func schedule(
        after delay: ClockTime, _ action: @escaping @HostActor @Sendable () -> Void
    ) -> HostTimer {
        let id = state.withLock { state in
            state.next += 1
            state.waiting[state.next] = (state.now + delay, action)
            return state.next
        }
        return HostTimer { [weak self] in self?.state.withLock { state in state.waiting[id] = nil } }
    }

    /// Moves on, and runs what becomes due, each at its own moment.
    @HostActor
    public func advance(by span: ClockTime) {
        let end = monotonic() + span
        while let action = takeNext(until: end) { action() }
        state.withLock { $0.now = end }
    }

    /// How many waits are pending.
    public var pendingCount: Int { state.withLock { $0.waiting.count } }

    private func takeNext(until end: ClockTime) -> (@HostActor @Sendable () -> Void)? {
        state.withLock { state in
            let next = state.waiting.min { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
            guard let next, next.value.due <= end else { return nil }
            state.now = max(state.now, next.value.due)
            state.waiting[next.key] = nil
            return next.value.action
        }
    }
}
