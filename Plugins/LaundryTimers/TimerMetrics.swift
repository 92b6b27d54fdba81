import PluginKit

/// The numbers for whoever watches the board; none where the host has no metrics.
struct TimerMetrics: Sendable {
    let active: Gauge?
    let due: Gauge?
    let finished: Counter?
    let redelivered: Counter?
    let late: Gauge?

    init(_ host: Host) {
        active = try? host.gauge("timers_active", help: "Timers that count down.")
        due = try? host.gauge("timers_due", help: "Finished timers that nobody has acknowledged: the badge.")
        finished = try? host.counter("timers_finished", help: "Timers that were told to be over.")
        redelivered = try? host.counter(
            "timers_redelivered", help: "Finished timers that may have been told before the host was killed.")
        late = try? host.gauge(
            "timers_late", unit: "seconds", help: "How late the last finished timer was told.")
    }
}
