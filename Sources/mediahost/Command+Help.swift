internal import HostCore

extension Command {
    /// `mediahost help [COMMAND]`
    static let help = Command(
        name: "help", operands: "[COMMAND]", summary: "Help, also for one command",
        options: [OptionSpec(long: "markdown", help: "All of it as the Markdown of `docs/cli.md`")]
    ) { arguments throws(UsageError) in
        if arguments.switches.contains("markdown") {
            try arguments.requireNoOperands()
            Output.write(HelpText.markdown, to: Terminal.output)
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
