internal import HostCore

extension Command {
    /// `mediahost run FILE`
    static let run = Command(
        name: "run", operands: "FILE", summary: "Run the pipelines and plugins of a config file until told to end",
        options: [
            OptionSpec(
                long: "socket", short: "s",
                help: "Control socket (default: the config's, $MEDIAHOST_SOCKET, or the user's)", value: "PATH"),
            OptionSpec(long: "safe-mode", help: "Run the pipelines without any plugin"),
            .probeAgain,
            OptionSpec(long: "verbose", short: "v", help: "Log details, too"),
            OptionSpec(long: "quiet", short: "q", help: "Log warnings and errors only"),
        ]
    ) { arguments throws(UsageError) in
        var level = Log.Level.notice
        if arguments.switches.contains("quiet") { level = .warning }
        if arguments.switches.contains("verbose") { level = .debug }
        let options = HostProcess.Options(
            config: try arguments.configFile(), socket: arguments.values["socket"],
            environment: ProcessEnvironment.variables(), isSafe: arguments.switches.contains("safe-mode"),
            probesAgain: arguments.switches.contains("probe-again"))
        return HostProcess.run(options, log: .standardError(upTo: level), report: Output.report)
    }
}
