internal import HostCore

extension Command {
    /// `mediahost help [COMMAND]`
    static let help = Command(
        name: "help", operands: "[COMMAND]", summary: "Help, also for one command",
        options: [
            OptionSpec(long: "markdown", help: "All of it as the Markdown of `docs/cli.md`"),
            OptionSpec(long: "man", help: "All of it as a man page, `mediahost.1`"),
        ]
    ) { arguments throws(UsageError) in
        if arguments.switches.contains("markdown") {
            try arguments.requireNoOperands()
            guard !arguments.switches.contains("man") else { throw UsageError("--man and --markdown are two pages") }
            Output.write(HelpText.markdown, to: Terminal.output)
            return .success
        }
        if arguments.switches.contains("man") {
            try arguments.requireNoOperands()
            Output.write(ManualPage.text, to: Terminal.output)
            return .success
        }
        guard let name = arguments.operands.first else {
            Output.line(HelpText.overview)
            return .success
        }
        guard arguments.operands.count == 1 else { throw UsageError("give one command") }
        guard let command = CommandTable.find(name) else { throw UsageError(CommandTable.explainMissing(name)) }
        Output.line(HelpText.page(of: command))
        return .success
    }
}
