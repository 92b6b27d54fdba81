internal import HostCore

/// `mediahost run FILE`
enum RunCommand: Command {
    static let name = "run"
    static let operands = "FILE"
    static let summary = "Run the pipelines and plugins of a config file until told to end"
    static let options = [
        OptionSpec(
            long: "socket", short: "s",
            help: "Control socket (default: the config's, $MEDIAHOST_SOCKET, or the user's)",
            value: "PATH"),
        OptionSpec(long: "verbose", short: "v", help: "Log details, too"),
        OptionSpec(long: "quiet", short: "q", help: "Log warnings and errors only"),
    ]

    static func run(_ arguments: ParsedArguments) -> ExitCode {
        guard let file = arguments.operands.first, arguments.operands.count == 1 else {
            return usageError("give one config file")
        }
        var level = Log.Level.notice
        if arguments.switches.contains("quiet") { level = .warning }
        if arguments.switches.contains("verbose") { level = .debug }
        let options = HostProcess.Options(
            config: file, socket: arguments.values["socket"], environment: ProcessEnvironment.variables())
        return HostProcess.run(options, log: .standardError(upTo: level), report: Output.report)
    }
}
