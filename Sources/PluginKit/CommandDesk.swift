import PluginABI

/// The commands of one instance, and who asked for them.
///
/// Thread: main, all of it.
final class CommandDesk: Sendable {
    private let host: Host
    private let commands: [Command]
    private let open = OpenReplies()

    init(host: Host, commands: [Command]) {
        self.host = host
        self.commands = commands
    }

    func invoke(_ name: String, token: mh_token, parameters: PluginValue) {
        let reply = PendingReply(host: host, open: open, token: token, kind: .command, name: name)
        open.add(reply)
        guard let command = commands.first(where: { $0.name == name }) else {
            reply.reject(PluginError("there is no command \"\(name)\" here", code: .notFound))
            return
        }
        command.run(parameters, reply)
    }

    func cancel(_ token: mh_token) { open.find(token)?.cancel() }
}
