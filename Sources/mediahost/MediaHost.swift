internal import Glibc
internal import HostCore

/// The command line: arguments in, HostCore called, text out.
@main
struct MediaHost {
    static func main() {
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static func run(_ arguments: [String]) -> ExitCode {
        Command.probe(arguments)
        Command.trial(arguments)
        Command.keep(arguments)
        if let code = Command.complete(arguments) { return code }
        guard let name = arguments.first else {
            Output.error(HelpText.overview)
            return .usage
        }
        let rest = Array(arguments.dropFirst())
        switch name {
        case "--help", "-h": return Command.help.run(rest)
        case "--version", "-V": return Command.version.run(rest)
        default:
            guard let command = CommandTable.find(name) else {
                Output.error("mediahost: \(CommandTable.explainMissing(name))")
                Output.error("`mediahost help` lists them")
                return .usage
            }
            return command.run(rest)
        }
    }
}
