internal import GStreamerKit

/// Brings plugins back whose policy is `restart`: with the same delays, backoff and crash-loop limit as pipelines.
///
/// ```
///   failed ──▶ the old instance lets go ──delay──▶ a new one ──▶ well
///     ▲                                              │ fails again
///     └──────────────────────────────────────────────┘   too often: cool-down, then once more
/// ```
@HostActor
final class PluginRestarts {
    private struct Waiting {
        var after: ClockTime
        var timer: HostTimer?
    }

    /// The host owns it.
    private unowned let host: Host
    private let policy = RestartPolicy()
    private var budgets: [String: RestartBudget] = [:]
    private var waiting: [String: Waiting] = [:]
    /// How often each was made anew.
    private(set) var counts: [String: Int] = [:]
    private var isStopped = false

    init(_ host: Host) { self.host = host }

    /// An instance has failed; `isGone` follows when nothing is left of it.
    func failed(_ name: String) {
        guard !isStopped, waiting[name] == nil else { return }
        let log = host.log.from("plugin \(name)")
        let now = host.clock.monotonic()
        switch budgets[name, default: RestartBudget()].fail(at: now, policy) {
        case .retry(let delay):
            waiting[name] = Waiting(
                after: RestartBudget.jittered(delay, policy, unit: Double.random(in: -1...1)))
            log.notice("restarts in \(Quantity.durationText(delay.nanoseconds)) (policy: restart)")
        case .exhausted:
            guard let coolDown = policy.coolDown else { return }
            waiting[name] = Waiting(after: coolDown)
            log.error(
                "failed more than \(policy.limit) times in \(Quantity.durationText(policy.period.nanoseconds)): "
                    + "left alone for \(Quantity.durationText(coolDown.nanoseconds))")
        }
        if !host.plugins.isLeaving(name) { isGone(name) } else if host.plugins.isHeld(name) { isHeld(name) }
    }

    /// It holds on to something beyond its time.
    func isHeld(_ name: String) {
        guard let place = waiting[name], place.timer == nil else { return }
        host.log.from("plugin \(name)").warning("its restart waits until it has let go of everything")
    }

    /// Its taps and its work are gone: another one may come.
    func isGone(_ name: String) {
        // Another one of that name may hold on still.
        guard let place = waiting[name], place.timer == nil, !host.plugins.isLeaving(name) else { return }
        waiting[name]?.timer = host.clock.schedule(after: place.after) { [weak self] in self?.begin(name) }
    }

    /// Somebody has decided about it: what waits does not come, and what was is no mark against it.
    func forget(_ name: String) {
        waiting.removeValue(forKey: name)?.timer?.cancel()
        budgets[name] = nil
    }

    /// The host ends.
    func stop() {
        isStopped = true
        for place in waiting.values { place.timer?.cancel() }
        waiting = [:]
    }

    private func begin(_ name: String) {
        guard !isStopped else { return }
        // A reload decides about plugins itself; afterwards it is seen whether this one is still wanted.
        if host.reloader.isApplying {
            waiting[name]?.timer = host.clock.schedule(after: policy.delay) { [weak self] in self?.begin(name) }
            return
        }
        // Somebody else has begun one meanwhile, which has failed.
        guard !host.plugins.isLeaving(name) else {
            waiting[name]?.timer = nil
            return
        }
        waiting[name] = nil
        let description = host.configuration.plugins.first { $0.name == name && $0.policy == .restart }
        guard let description, host.plugins[name] == nil, !host.disabledPlugins.contains(name) else { return }
        counts[name, default: 0] += 1
        if let failure = host.beginAgain(description) {
            host.announceFailure(of: name, failure, .restart)
            return failed(name)
        }
        budgets[name]?.isWell(at: host.clock.monotonic())
        host.log.from("plugin \(name)").notice("restarted")
        host.events.post(
            "plugin.restarted", source: name, ["restarts": .int(Int64(counts[name] ?? 0))])
    }
}
