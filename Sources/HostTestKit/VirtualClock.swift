public import GStreamerKit
public import HostCore
import Locking

/// Clocks that move only when told: waits end in the order they are due, without any real time passing.
///
/// Lock order: `state` is a leaf; actions run without it.
public final class VirtualClock: HostClock {
    private struct Wait {
        var clock: ClockName
        var due: ClockTime
        var action: @HostActor @Sendable () -> Void
    }

    private struct Watcher {
        var action: @HostActor @Sendable (ClockTime) -> Void
    }

    private struct State {
        var now = ClockTime.seconds(1000)
        /// CLOCK_BOOTTIME and CLOCK_REALTIME, as distances from `now`.
        var suspended = ClockTime.zero
        var realtime = ClockTime.seconds(1_700_000_000)
        var wakes = WakeAbility.able
        var next = 0
        var waiting: [Int: Wait] = [:]
        var watchers: [Int: Watcher] = [:]

        func time(_ clock: ClockName) -> ClockTime {
            switch clock {
            case .monotonic: now
            case .boottime, .boottimeAlarm: now + suspended
            case .realtime, .realtimeAlarm: now + realtime
            }
        }

        /// When CLOCK_MONOTONIC shows what a wait is for.
        func moment(of wait: Wait) -> ClockTime { now + (wait.due - time(wait.clock)) }
    }

    private let state = Locked(State())

    public init() {}

    public func monotonic() -> ClockTime { state.withLock { $0.time(.monotonic) } }
    public func boottime() -> ClockTime { state.withLock { $0.time(.boottime) } }
    public func realtime() -> ClockTime { state.withLock { $0.time(.realtime) } }

    public func schedule(
        after delay: ClockTime, _ action: @escaping @HostActor @Sendable () -> Void
    ) -> HostTimer {
        let id = state.withLock { state in
            state.next += 1
            state.waiting[state.next] = Wait(clock: .monotonic, due: state.now + delay, action: action)
            return state.next
        }
        return HostTimer { [weak self] in self?.state.withLock { state in state.waiting[id] = nil } }
    }

    public func alarm(
        on clock: ClockName, _ action: @escaping @HostActor @Sendable () -> Void
    ) -> (any ClockAlarm)? {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        return VirtualAlarm { [weak self] time in
            self?.state.withLock { state in
                state.waiting[id] = time.map { Wait(clock: clock, due: $0, action: action) }
            }
        }
    }

    public func wakeAbility() -> WakeAbility { state.withLock { $0.wakes } }

    /// What `wakeAbility` says from now on.
    public func setWakeAbility(_ ability: WakeAbility) { state.withLock { $0.wakes = ability } }

    public func watchWallClock(
        _ action: @escaping @HostActor @Sendable (_ step: ClockTime) -> Void
    ) -> HostTimer {
        let id = state.withLock { state in
            state.next += 1
            state.watchers[state.next] = Watcher(action: action)
            return state.next
        }
        return HostTimer { [weak self] in self?.state.withLock { state in state.watchers[id] = nil } }
    }

    /// Moves on, and runs what becomes due, each at its own moment. What arms itself anew for now is run again, so it must not
    /// do so for ever.
    @HostActor
    public func advance(by span: ClockTime) {
        let end = monotonic() + span
        while let action = takeNext(until: end) { action() }
        state.withLock { $0.now = end }
    }

    /// The process stands still: what became due meanwhile runs at the end of it, in order.
    @HostActor
    public func stall(for span: ClockTime) {
        state.withLock { $0.now = $0.now + span }
        advance(by: .zero)
    }

    /// The machine sleeps: the monotonic clock stands, the others go on. What became due meanwhile runs at the end of it.
    @HostActor
    public func suspend(for span: ClockTime) {
        state.withLock { state in
            state.suspended = state.suspended + span
            state.realtime = state.realtime + span
        }
        advance(by: .zero)
    }

    /// Somebody sets the wall clock, forward or back: who watches is told, then runs what is due by the new time.
    @HostActor
    public func stepWallClock(by step: ClockTime) {
        let watchers = state.withLock { state in
            state.realtime = state.realtime + step
            return state.watchers.sorted { $0.key < $1.key }.map(\.value)
        }
        for watcher in watchers { watcher.action(step) }
        advance(by: .zero)
    }

    /// How many waits are pending.
    public var pendingCount: Int { state.withLock { $0.waiting.count } }

    private func takeNext(until end: ClockTime) -> (@HostActor @Sendable () -> Void)? {
        state.withLock { state in
            let next = state.waiting.map { (moment: state.moment(of: $0.value), id: $0.key, wait: $0.value) }
                .min { ($0.moment, $0.id) < ($1.moment, $1.id) }
            guard let next, next.moment <= end else { return nil }
            state.now = max(state.now, next.moment)
            state.waiting[next.id] = nil
            return next.wait.action
        }
    }
}

/// One wait of a `VirtualClock` that can be moved.
private final class VirtualAlarm: ClockAlarm {
    private let move: @HostActor (ClockTime?) -> Void

    init(_ move: @escaping @HostActor (ClockTime?) -> Void) { self.move = move }

    func set(_ time: ClockTime?) { move(time) }
}
