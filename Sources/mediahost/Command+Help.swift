internal import HostCore

extension Command {
    /// `mediahost help [COMMAND]`
    static let help = Command(
        name: "help", operands: "[COMMAND]", summary: "Help, also for one command",
        options: [
            OptionSpec(long: "markdown", help: "All of it as the Markdown of `docs/cli.md`"),
            OptionSpec(long: "man", help: "All of it as a man page, `mediahost.1`"),
            OptionSpec(long: "man-config", help: "The keys of a config as a man page, `mediahost.yaml.5`"),
        ]
    ) { arguments throws(UsageError) in
        let pages = ["markdown", "man", "man-config"].filter(arguments.switches.contains)
        guard pages.count < 2 else {
            throw UsageError("\(pages.map { "--\($0)" }.joined(separator: " and ")) are different pages")
        }
        if let page = pages.first {
            try arguments.requireNoOperands()
            let text =
                switch page {
                case "markdown": HelpText.markdown
                case "man": ManualPage.text
                default: ConfigurationPage.text
                }
            Output.write(text, to: Terminal.output)
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
