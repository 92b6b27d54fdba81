import PluginKit

/// What the desktop shows of finished timers.
enum FinishedNotice {
    static let next = "next"
    static let snooze = "snooze"
    static let stop = "stop"
    static let crowdKey = "timers"

    /// Stable for a pet: the next one takes its place.
    static func key(_ pet: String) -> String { "timer_\(pet)" }

    static func notification(_ open: TimerStore.OpenTimer, snooze: Int64) -> Notification {
        var notice = Notification(
            open.timer.kind.finishedTitle, body: open.timer.kind.finishedBody, key: key(open.petID))
        notice.sound = open.hasSound ? "alarm-clock-elapsed" : nil
        notice.expiry = .never
        notice.actions = [.init(Notification.Action.defaultID, "Open")]
        if let step = open.nextStep { notice.actions.append(.init(next, step.title)) }
        notice.actions.append(.init(Self.snooze, "Snooze \(minutes(snooze))"))
        notice.actions.append(.init(stop, "Stop"))
        return notice
    }

    static func crowd(_ timers: [TimerStore.OpenTimer]) -> Notification {
        let named = timers.prefix(5).map { "\($0.petName): \($0.timer.kind.title)" }
        let more = timers.count > named.count ? ["and \(timers.count - named.count) more"] : []
        var notice = Notification(
            timers.count == 1 ? "1 timer finished" : "\(timers.count) timers finished",
            body: (named + more).joined(separator: "\n"), key: crowdKey)
        notice.sound = timers.contains { $0.hasSound } ? "alarm-clock-elapsed" : nil
        notice.expiry = .never
        return notice
    }

    private static func minutes(_ nanoseconds: Int64) -> String {
        let seconds = nanoseconds / 1_000_000_000
        return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
    }
}
