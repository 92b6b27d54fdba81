internal import HostCore

/// A command that asks a running host over its control socket.
protocol ClientCommand: Command {
    static func ask(_ client: ControlClient, _ arguments: ParsedArguments, _ timeout: Duration) throws(ControlError)
        -> Value
    /// What is wrong with the operands, if anything.
    static func check(_ operands: [String]) -> String?
}

extension ClientCommand {
    static var operands: String { "" }
    static var options: [OptionSpec] {
        [
            OptionSpec(
                long: "socket", short: "s", help: "Control socket (default: $MEDIAHOST_SOCKET, or the user's)",
                value: "PATH"),
            OptionSpec(
                long: "timeout", short: "t", help: "How long to wait for the answer (default 30)", value: "SECONDS"),
            OptionSpec(long: "json", short: "j", help: "Print the answer as JSON"),
        ]
    }

    static func check(_ operands: [String]) -> String? {
        operands.first.map { "unexpected \"\($0)\"" }
    }

    static func run(_ arguments: ParsedArguments) -> ExitCode {
        if let problem = check(arguments.operands) { return usageError(problem) }
        let seconds = arguments.values["timeout"] ?? "30"
        guard let wait = Int(seconds), wait > 0 else {
            return usageError("--timeout takes a whole number of seconds, not \"\(seconds)\"")
        }
        do throws(ControlError) {
            let given = arguments.values["socket"]
            let socket = if let given { given } else { try ControlSocket.defaultPath() }
            let client = ControlClient(socketPath: socket)
            let answer = try ask(client, arguments, .seconds(wait))
            Output.line(
                arguments.switches.contains("json") ? JSONText.render(answer, pretty: true) : ValueText.render(answer))
            return .success
        } catch {
            Output.error("mediahost \(name): \(error.message)")
            return error.code == .unreachable || error.code == .denied ? .control : .failure
        }
    }
}

/// `mediahost status`
enum StatusCommand: ClientCommand {
    static let name = "status"
    static let summary = "What a running host, its pipelines and its plugins are doing"

    static func ask(
        _ client: ControlClient, _ arguments: ParsedArguments, _ timeout: Duration
    ) throws(ControlError) -> Value {
        try client.status(timeout: timeout)
    }
}

/// `mediahost pause`
enum PauseCommand: ClientCommand {
    static let name = "pause"
    static let summary = "Pause a running host; returns when it is quiet"

    static func ask(
        _ client: ControlClient, _ arguments: ParsedArguments, _ timeout: Duration
    ) throws(ControlError) -> Value {
        try client.pause(timeout: timeout)
    }
}

/// `mediahost resume`
enum ResumeCommand: ClientCommand {
    static let name = "resume"
    static let summary = "Resume a paused host; returns when its pipelines were started"

    static func ask(
        _ client: ControlClient, _ arguments: ParsedArguments, _ timeout: Duration
    ) throws(ControlError) -> Value {
        try client.resume(timeout: timeout)
    }
}

/// `mediahost commands`
enum CommandsCommand: ClientCommand {
    static let name = "commands"
    static let summary = "The commands of a running host's plugins, and what they take"

    static func ask(
        _ client: ControlClient, _ arguments: ParsedArguments, _ timeout: Duration
    ) throws(ControlError) -> Value {
        try client.commands(timeout: timeout)
    }
}

/// `mediahost call PLUGIN.COMMAND [KEY=VALUE...]`
enum CallCommand: ClientCommand {
    static let name = "call"
    static let operands = "PLUGIN.COMMAND [KEY=VALUE...]"
    static let summary = "Call a command of a plugin, as in: call replay.save last=5s to=clip.mkv"

    static func check(_ operands: [String]) -> String? {
        guard let target = operands.first else { return "name a plugin's command: PLUGIN.COMMAND" }
        let parts = target.split(separator: ".", maxSplits: 1)
        guard parts.count == 2 else { return "\"\(target)\" is not PLUGIN.COMMAND" }
        for word in operands.dropFirst() where word.firstIndex(of: "=") ?? word.startIndex == word.startIndex {
            return "\"\(word)\" is not KEY=VALUE"
        }
        return nil
    }

    static func ask(
        _ client: ControlClient, _ arguments: ParsedArguments, _ timeout: Duration
    ) throws(ControlError) -> Value {
        let parts = (arguments.operands.first ?? "").split(separator: ".", maxSplits: 1).map(String.init)
        let parameters = arguments.operands.dropFirst().map { word -> Value.Member in
            let equals = word.firstIndex(of: "=") ?? word.startIndex
            return .init(String(word[..<equals]), .string(String(word[word.index(after: equals)...])))
        }
        return try client.call(
            instance: parts[0], command: parts[1], parameters: .map(parameters), timeout: timeout)
    }
}
