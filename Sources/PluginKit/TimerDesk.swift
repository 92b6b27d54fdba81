import Locking
import PluginABI

/// The closures behind the timers of one instance.
///
/// Lock order: `actions` is a leaf; nothing is called while it is held.
final class TimerDesk: Sendable {
    private struct Action: Sendable {
        let repeats: Bool
        let run: @Sendable (TimerExpiry) -> Void
    }

    private let actions = Locked<[mh_token: Action]>([:])

    func add(_ token: mh_token, repeats: Bool, _ run: @escaping @Sendable (TimerExpiry) -> Void) {
        let action = Action(repeats: repeats, run: run)
        actions.withLock { $0[token] = action }
    }

    /// - Returns: whether it was there.
    func remove(_ token: mh_token) -> Bool {
        // Let go outside of the lock: what it holds may cancel others.
        let removed = actions.withLock { $0.removeValue(forKey: token) }
        return removed != nil
    }

    func removeAll() {
        let removed = actions.withLock { actions in
            defer { actions = [:] }
            return actions
        }
        _ = removed
    }

    /// - Thread: main.
    func tell(_ expiry: mh_timer_expiry_1) {
        let action = actions.withLock { actions in
            let action = actions[expiry.timer]
            if action?.repeats == false { actions[expiry.timer] = nil }
            return action
        }
        action?.run(TimerExpiry(expiry))
    }
}
