internal import HostCore

/// The commands that ask a running host over its control socket.
extension Command {
    static let clients = [
        status, top,
        Command(
            name: "metrics", summary: "The numbers of a running host and its plugins, as Prometheus reads them",
            options: clientOptions.filter { $0.long != "json" }
        ) { arguments throws(UsageError) in
            try arguments.requireNoOperands()
            let answer = try answer("metrics", arguments) { (client, timeout) throws(ControlError) in
                try client.metrics(timeout: timeout)
            }
            switch answer {
            case .failure(let code): return code
            case .success(let text):
                Output.write(text, to: Terminal.output)
                return .success
            }
        },
        client(
            "reload", "Make a running host read its config again; what did not change plays on",
            details:
                "Returns when every changed pipeline plays. Exit code 3 where the file has errors or a pipeline did not "
                + "start: then the host goes on with what it had."
        ) { (client, timeout) throws(ControlError) in try client.reload(timeout: timeout) },
        pipelineClient("start", "Start a pipeline of a running host, also one that has finished or failed") {
            (client, pipeline, timeout) throws(ControlError) in try client.start(pipeline: pipeline, timeout: timeout)
        },
        pipelineClient("stop", "Stop a pipeline of a running host; returns when its files are finished") {
            (client, pipeline, timeout) throws(ControlError) in try client.stop(pipeline: pipeline, timeout: timeout)
        },
        Command(
            name: "get", operands: "PIPELINE ELEMENT.PROPERTY", summary: "A property of an element that runs",
            options: clientOptions
        ) { arguments throws(UsageError) in
            guard arguments.operands.count == 2 else { throw UsageError("name a pipeline and ELEMENT.PROPERTY") }
            return try ask("get", arguments) { (client, timeout) throws(ControlError) in
                try client.property(arguments.operands[1], of: arguments.operands[0], timeout: timeout)
            }
        },
        Command(
            name: "set", operands: "PIPELINE ELEMENT.PROPERTY=VALUE",
            summary: "Set a property of an element that runs, where the config's `settable:` lists it",
            details:
                "It holds until the config is read again; with `--save` it is written to the overrides file and holds "
                + "after a restart, too.",
            options: clientOptions + [saveOption]
        ) { arguments throws(UsageError) in
            guard arguments.operands.count == 2, let (key, value) = keyAndValue(arguments.operands[1]) else {
                throw UsageError("name a pipeline and ELEMENT.PROPERTY=VALUE")
            }
            return try change("set", arguments) { (client, timeout, saving) throws(ControlError) in
                try client.set(key, of: arguments.operands[0], to: value, saving: saving, timeout: timeout)
            }
        },
        config,
        client("rules", "The rules of a running host's config, and how often each has fired") {
            (client, timeout) throws(ControlError) in try client.rules(timeout: timeout)
        },
        client("commands", "The commands of a running host's plugins, and what they take") {
            (client, timeout) throws(ControlError) in try client.commands(timeout: timeout)
        },
        call, jobs,
    ]

    typealias Request = @Sendable (ControlClient, Duration) throws(ControlError) -> Value

    /// Where the host is.
    static let placeOptions = [
        OptionSpec(
            long: "socket", short: "s", help: "Control socket (default: $MEDIAHOST_SOCKET, or the user's)",
            value: "PATH"),
        OptionSpec(
            long: "host", help: "A host in the network, instead of a socket (default: $MEDIAHOST_HOST)",
            value: "ADDRESS:PORT"),
        OptionSpec(
            long: "token-file", help: "For --host: the file with its token (default: $MEDIAHOST_TOKEN_FILE)",
            value: "FILE"),
    ]

    static let clientOptions =
        placeOptions + [
            OptionSpec(
                long: "timeout", short: "t", help: "How long to wait for the answer (default 30; reload 180)",
                value: "SECONDS"),
            .json,
        ]

    /// A command about one pipeline.
    private static func pipelineClient(
        _ name: String, _ summary: String,
        _ request: @escaping @Sendable (ControlClient, String, Duration) throws(ControlError) -> Value
    ) -> Command {
        Command(name: name, operands: "PIPELINE", summary: summary, options: clientOptions) {
            arguments throws(UsageError) in
            guard let pipeline = arguments.operands.first, arguments.operands.count == 1 else {
                throw UsageError("name one pipeline")
            }
            return try ask(name, arguments) { (client, timeout) throws(ControlError) in
                try request(client, pipeline, timeout)
            }
        }
    }

    /// A command without operands.
    static func client(
        _ name: String, _ summary: String, details: String = "", _ request: @escaping Request
    ) -> Command {
        Command(name: name, summary: summary, details: details, options: clientOptions) {
            arguments throws(UsageError) in
            try arguments.requireNoOperands()
            return try ask(name, arguments, request)
        }
    }

    static func ask(
        _ name: String, _ arguments: ParsedArguments, _ request: Request
    ) throws(UsageError) -> ExitCode {
        switch try answer(name, arguments, request) {
        case .failure(let code): return code
        case .success(let answer):
            if arguments.switches.contains("json") {
                Output.json(answer)
            } else {
                Output.line(ValueText.render(answer))
            }
            return .success
        }
    }

    /// What the host answers, or the code to end with after its error was shown.
    /// - Parameter beforeError: runs before the error is shown.
    static func answer<Answer>(
        _ name: String, _ arguments: ParsedArguments, beforeError: () -> Void = {},
        _ request: (ControlClient, Duration) throws(ControlError) -> Answer
    ) throws(UsageError) -> Result<Answer, ExitCode> {
        let patience = try patience(name, arguments)
        do throws(ControlError) {
            return .success(try request(try arguments.client(), patience))
        } catch {
            beforeError()
            return .failure(show(error, of: name, arguments))
        }
    }

    /// How long to wait for an answer of the one host that is named.
    static func patience(_ name: String, _ arguments: ParsedArguments) throws(UsageError) -> Duration {
        // A reload checks, waits for what changed, and where that fails for what was there before.
        let seconds = arguments.values["timeout"] ?? (name == "reload" ? "180" : "30")
        guard let wait = Int(seconds), wait > 0 else {
            throw UsageError("--timeout takes a whole number of seconds, not \"\(seconds)\"")
        }
        try arguments.requireOnePlace()
        return .seconds(wait)
    }

    /// Returns the code to end with.
    static func show(_ error: ControlError, of name: String, _ arguments: ParsedArguments) -> ExitCode {
        if arguments.switches.contains("json") { Output.json(error.body) }
        // Diagnostics begin with their own place.
        Output.error(error.code == .configuration ? error.message : "mediahost \(name): \(error.message)")
        return ExitCode(error.code)
    }
}

extension ParsedArguments {
    /// A host has one place.
    func requireOnePlace() throws(Command.UsageError) {
        if values["socket"] != nil, values["host"] != nil {
            throw .init("--socket and --host contradict each other")
        }
        if values["socket"] != nil, values["token-file"] != nil { throw .init("--token-file goes with --host") }
    }

    func client() throws(ControlError) -> ControlClient {
        ControlClient(
            try ControlPlace.find(
                socket: values["socket"], host: values["host"], tokenFile: values["token-file"]))
    }
}

extension ExitCode: Error {}

extension ExitCode {
    /// What a command of a client ends with.
    init(_ code: ControlError.Code) {
        self =
            switch code {
            case .unreachable, .denied, .unauthorized: .control
            case .configuration: .configuration
            default: .failure
            }
    }
}
