import Locking
import PluginABI

/// The closures behind the open notifications of one instance.
///
/// Lock order: `actions` is a leaf; nothing is called while it is held.
final class NotificationDesk: Sendable {
    private struct Action: Sendable {
        let run: @Sendable (NotificationResponse) -> Void
    }

    private let actions = Locked<[mh_token: Action]>([:])

    func add(_ token: mh_token, _ run: @escaping @Sendable (NotificationResponse) -> Void) {
        let action = Action(run: run)
        actions.withLock { $0[token] = action }
    }

    /// - Returns: whether it was open.
    func remove(_ token: mh_token) -> Bool { take(token) != nil }

    func removeAll() {
        // Let go outside of the lock: what they hold may withdraw others.
        let removed = actions.withLock { actions in
            defer { actions = [:] }
            return actions
        }
        _ = removed
    }

    /// - Thread: main.
    func tell(_ token: mh_token, action: String) {
        let receiver = actions.withLock { $0[token] }
        receiver?.run(.action(action))
    }

    /// - Thread: main.
    func tell(_ token: mh_token, closed why: mh_notification_end) {
        take(token)?.run(.closed(.init(abi: why)))
    }

    private func take(_ token: mh_token) -> Action? { actions.withLock { $0.removeValue(forKey: token) } }
}
