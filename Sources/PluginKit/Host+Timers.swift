import PluginABI

extension HostExtension {
    public static let timer = HostExtension(rawValue: MH_EXT_TIMER)
}

extension Host {
    /// Runs `action` on main at `time` of a clock, never earlier; then again every `interval`, where there is one.
    ///
    /// ```swift
    /// timer = try host.schedule(at: end, on: .realtime, slack: .seconds(1)) { [weak self] _ in self?.isDone() }
    /// ```
    /// - Parameters:
    ///   - interval: 1 ms at least. Times that were missed come as one call.
    ///   - slack: how much later it may come, so that the host wakes up less often.
    /// - Returns: what keeps it armed. All timers end with `deactivate`.
    /// - Throws: `limit` where 256 are armed already; `state` outside of `activate` and active; `unsupported` where the host cannot
    ///   wake the machine and the clock says that it is to.
    /// - Thread: main.
    public func schedule(
        at time: Timestamp, on clock: ClockKind = .monotonic, every interval: Duration? = nil,
        slack: Duration = .zero, _ action: @escaping @Sendable (TimerExpiry) -> Void
    ) throws(PluginError) -> TimerHandle {
        let host = try open("arm a timer")
        guard let table = tables.timer else { throw missing(.timer) }
        // Zero would be once, and an empty interval is a mistake.
        guard interval != .zero else { throw PluginError("a timer cannot repeat every 0 s", code: .invalid) }
        var request = mh_timer_1(
            clock: clock.abi, reserved: 0, at: time.nanoseconds, repeat: interval?.wholeNanoseconds ?? 0,
            slack: slack.wholeNanoseconds)
        var token: mh_token = 0
        let status = table.pointee.arm?(host, &request, &token) ?? mh_status(truncatingIfNeeded: MH_E_UNSUPPORTED)
        try check(status, "the host armed no timer")
        timers.add(token, repeats: interval != nil, action)
        return TimerHandle(self, token)
    }

    /// The same, `delay` from now.
    /// - Thread: main.
    public func schedule(
        after delay: Duration, on clock: ClockKind = .monotonic, every interval: Duration? = nil,
        slack: Duration = .zero, _ action: @escaping @Sendable (TimerExpiry) -> Void
    ) throws(PluginError) -> TimerHandle {
        guard let now = now(clock) else { throw missing(.clock) }
        return try schedule(at: now + delay, on: clock, every: interval, slack: slack, action)
    }

    /// What a clock shows; `nil` without the clock extension.
    /// - Thread: any.
    public func now(_ clock: ClockKind) -> Timestamp? {
        switch clock {
        case .monotonic: monotonic
        case .boottime, .boottimeAlarm: boottime
        case .realtime, .realtimeAlarm: realtime
        }
    }

    func cancelTimer(_ token: mh_token) {
        guard timers.remove(token), let host = live else { return }
        _ = tables.timer?.pointee.cancel?(host, token)
    }
}
