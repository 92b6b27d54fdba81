import PluginABI
import Synchronization

/// The answer to one command, given exactly once, from any thread.
///
/// The first answer counts, later ones return false. If the last reference goes without one, the caller is told that
/// the command ended without an answer, so nobody waits for ever.
public final class CommandReply: Sendable {
    private let desk: CommandDesk
    let token: mh_token
    private let name: String
    private let answered = Atomic<Bool>(false)
    private let cancelled = Atomic<Bool>(false)

    init(desk: CommandDesk, token: mh_token, name: String) {
        self.desk = desk
        self.token = token
        self.name = name
    }

    deinit {
        reject(PluginError("command \(name) ended without an answer; this is a fault of the plugin"))
    }

    /// Whether nobody waits any longer. Long work looks here now and then and rejects with `.cancelled`.
    /// - Thread: any.
    public var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// - Parameter result: a map.
    /// - Thread: any.
    @discardableResult public func succeed(_ result: PluginValue = [:]) -> Bool {
        guard claim() else { return false }
        desk.host.reply(token, result)
        return true
    }

    /// - Thread: any.
    @discardableResult public func reject(_ error: PluginError) -> Bool {
        guard claim() else { return false }
        desk.host.reject(token, error)
        return true
    }

    /// How far it is, 0 to 1.
    /// - Thread: main, worker.
    public func progress(_ fraction: Double, _ text: String = "") {
        guard !answered.load(ordering: .acquiring) else { return }
        desk.host.progress(token, fraction, text)
    }

    func cancel() { cancelled.store(true, ordering: .releasing) }

    private func claim() -> Bool {
        guard !answered.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        desk.forget(token)
        return true
    }
}
