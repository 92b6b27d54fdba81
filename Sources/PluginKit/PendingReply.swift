import PluginABI
import Synchronization

/// The one answer to one command or request, whatever its result is made of.
///
/// It knows neither the command nor the plugin: a plugin may keep it, and its commands may hold the plugin.
final class PendingReply: Sendable {
    enum Kind: String, Sendable {
        case command, request
    }

    private let host: Host
    private let open: OpenReplies
    let token: mh_token
    private let kind: Kind
    private let name: String
    private let answered = Atomic<Bool>(false)
    private let cancelled = Atomic<Bool>(false)

    init(host: Host, open: OpenReplies, token: mh_token, kind: Kind, name: String) {
        self.host = host
        self.open = open
        self.token = token
        self.kind = kind
        self.name = name
    }

    deinit {
        reject(PluginError("\(kind.rawValue) \(name) ended without an answer; this is a fault of the plugin"))
    }

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// - Parameter result: a map.
    @discardableResult func succeed(_ result: PluginValue) -> Bool {
        guard claim() else { return false }
        host.reply(token, result)
        return true
    }

    /// Only to a request.
    @discardableResult func respond(_ response: RouteResponse) -> Bool {
        guard claim() else {
            response.discard()
            return false
        }
        host.respond(token, response)
        return true
    }

    @discardableResult func reject(_ error: PluginError) -> Bool {
        guard claim() else { return false }
        switch kind {
        case .command: host.reject(token, error)
        case .request: host.rejectRequest(token, error)
        }
        return true
    }

    func progress(_ fraction: Double, _ text: String) {
        guard !answered.load(ordering: .acquiring) else { return }
        host.progress(token, fraction, text)
    }

    func cancel() { cancelled.store(true, ordering: .releasing) }

    private func claim() -> Bool {
        guard !answered.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        open.forget(token)
        return true
    }
}
