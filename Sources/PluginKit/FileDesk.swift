import Locking
import PluginABI

/// The closures behind the watched files of one instance.
///
/// Lock order: `actions` is a leaf; nothing is called while it is held.
final class FileDesk: Sendable {
    private struct Action: Sendable {
        let number: UInt64
        let run: @Sendable (FileEvents) -> Void
    }

    private struct State: Sendable {
        var actions: [Int32: Action] = [:]
        var last: UInt64 = 0
    }

    private let state = Locked(State())

    /// - Returns: what tells this watch from a later one of the same descriptor.
    func add(_ file: Int32, _ run: @escaping @Sendable (FileEvents) -> Void) -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.actions[file] = Action(number: state.last, run: run)
            return state.last
        }
    }

    func has(_ file: Int32, _ number: UInt64) -> Bool { state.withLock { $0.actions[file]?.number == number } }

    /// - Returns: whether it was there.
    func remove(_ file: Int32, _ number: UInt64) -> Bool {
        // Let go outside of the lock: what it holds may end others.
        let removed = state.withLock { state in
            state.actions[file]?.number == number ? state.actions.removeValue(forKey: file) : nil
        }
        return removed != nil
    }

    func removeAll() {
        let removed = state.withLock { state in
            defer { state.actions = [:] }
            return state.actions
        }
        _ = removed
    }

    /// - Thread: main.
    func tell(_ file: Int32, _ events: mh_fd_events) {
        let action = state.withLock { $0.actions[file] }
        action?.run(FileEvents(rawValue: events))
    }
}
