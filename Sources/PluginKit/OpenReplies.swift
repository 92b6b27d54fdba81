import PluginABI
import Locking

/// The replies of one instance that still lack their answer.
///
/// Lock: `open` is a leaf; nothing is called while it is held, and no reference is dropped in it.
final class OpenReplies: Sendable {
    private struct Open: Sendable {
        weak var reply: PendingReply?
    }

    private let open = Locked<[mh_token: Open]>([:])

    func add(_ reply: PendingReply) { open.withLock { $0[reply.token] = Open(reply: reply) } }

    func find(_ token: mh_token) -> PendingReply? { open.withLock { $0[token]?.reply } }

    func forget(_ token: mh_token) { open.withLock { _ = $0.removeValue(forKey: token) } }
}
