internal import GStreamerKit
internal import HostCore
internal import Locking
internal import PluginABI

/// What stands behind `mh.timer.draft/1` of a fake host: the host's own queues, which only `FakeInstance.advance` looks at.
///
/// Lock order: `state` is a leaf.
final class FakeTimers: Sendable {
    private struct State: Sendable {
        var queues: [ClockName: TimerQueue] = [:]
        var armed: [mh_token: ClockName] = [:]
        var last: mh_token = 0
        /// Active, or in `activate`.
        var isOpen = false
        var wakes = true
    }

    private let state = Locked(State())

    var count: Int { state.withLock { $0.armed.count } }

    /// How far it is to the next look, on the clock that comes first; nil where nothing is armed.
    func nextLook(_ time: (ClockName) -> Int64) -> Int64? {
        let now = Dictionary(uniqueKeysWithValues: ClockName.allCases.map { ($0, time($0)) })
        return state.withLock { state in
            ClockName.allCases.compactMap { clock in
                guard let look = state.queues[clock]?.nextLook(), let now = now[clock] else { return nil }
                return max(0, look.nanoseconds.subtractingReportingOverflow(now).partialValue)
            }.min()
        }
    }

    /// What is due, each on its clock. One may be cancelled before it is told: `take` says so.
    func takeDue(_ clock: ClockName, at now: Int64) -> [TimerQueue.Expiry] {
        state.withLock { $0.queues[clock]?.takeDue(at: ClockTime(nanoseconds: now)) ?? [] }
    }

    /// Whether it is still to be told.
    func take(_ expiry: TimerQueue.Expiry) -> Bool {
        state.withLock { state in
            guard state.armed[expiry.id] != nil else { return false }
            if !expiry.repeats { state.armed[expiry.id] = nil }
            return true
        }
    }

    func wallClockWasSet(to now: Int64) {
        state.withLock { state in
            for clock in ClockName.allCases where clock.isWall {
                state.queues[clock]?.clockWasSet(to: ClockTime(nanoseconds: now))
            }
        }
    }

    /// Whether the machine can be woken.
    var wakes: Bool {
        get { state.withLock { $0.wakes } }
        set { state.withLock { $0.wakes = newValue } }
    }

    /// Whether a wait is armed that wakes the machine.
    var isWakeArmed: Bool { state.withLock { $0.armed.values.contains { $0.wakes } } }

    func open() { state.withLock { $0.isOpen = true } }

    func endAll() { state.withLock { $0 = State(last: $0.last, wakes: $0.wakes) } }

    private func arm(_ request: mh_timer_1) -> (mh_status, mh_token) {
        guard let clock = ClockName(rawValue: request.clock), request.at != .min, request.slack >= 0,
            request.repeat == 0 || request.repeat >= 1_000_000
        else { return (mh_status(truncatingIfNeeded: MH_E_INVALID), 0) }
        return state.withLock { state in
            guard state.isOpen else { return (mh_status(truncatingIfNeeded: MH_E_STATE), 0) }
            guard state.wakes || !clock.wakes else { return (mh_status(truncatingIfNeeded: MH_E_UNSUPPORTED), 0) }
            guard state.armed.count < 256 else { return (mh_status(truncatingIfNeeded: MH_E_LIMIT), 0) }
            state.last += 1
            state.armed[state.last] = clock
            state.queues[clock, default: TimerQueue()].arm(
                state.last,
                TimerQueue.Timer(
                    due: ClockTime(nanoseconds: request.at),
                    interval: request.repeat == 0 ? nil : ClockTime(nanoseconds: request.repeat),
                    slack: ClockTime(nanoseconds: request.slack)))
            return (0, state.last)
        }
    }

    private func cancel(_ token: mh_token) -> mh_status {
        state.withLock { state in
            guard let clock = state.armed.removeValue(forKey: token) else {
                return mh_status(truncatingIfNeeded: MH_E_NOT_FOUND)
            }
            state.queues[clock]?.cancel(token)
            return 0
        }
    }

    static func table() -> mh_timer_host_1 {
        mh_timer_host_1(
            arm: { host, timer, token in
                token?.pointee = 0
                guard let timers = FakeHost.of(host)?.timers, let timer, let token else {
                    return mh_status(truncatingIfNeeded: MH_E_INVALID)
                }
                let (status, armed) = timers.arm(timer.pointee)
                token.pointee = armed
                return status
            },
            cancel: { host, token in
                FakeHost.of(host)?.timers.cancel(token) ?? mh_status(truncatingIfNeeded: MH_E_INVALID)
            })
    }
}
