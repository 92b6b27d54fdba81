import PluginABI
import Locking

/// The commands of one instance and the replies still open.
///
/// Lock: `open` is a leaf; nothing is called while it is held, and no reference is dropped in it.
final class CommandDesk: Sendable {
    private struct Open: Sendable {
        weak var reply: CommandReply?
    }

    let host: Host
    let commands: [Command]
    private let open = Locked<[mh_token: Open]>([:])

    init(host: Host, commands: [Command]) {
        self.host = host
        self.commands = commands
    }

    /// - Thread: main.
    func invoke(_ name: String, token: mh_token, parameters: PluginValue) {
        let reply = CommandReply(desk: self, token: token, name: name)
        open.withLock { $0[token] = Open(reply: reply) }
        guard let command = commands.first(where: { $0.name == name }) else {
            reply.reject(PluginError("there is no command \"\(name)\" here", code: .notFound))
            return
        }
        command.run(parameters, reply)
    }

    /// - Thread: main.
    func cancel(_ token: mh_token) {
        let reply = open.withLock { $0[token]?.reply }
        reply?.cancel()
    }

    /// - Thread: any.
    func forget(_ token: mh_token) {
        open.withLock { _ = $0.removeValue(forKey: token) }
    }
}
