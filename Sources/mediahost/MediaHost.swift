internal import Glibc
internal import HostCore

/// The command line: arguments in, HostCore called, text out.
@main
struct MediaHost {
    private static let commands = [Command.run, .check, .elements] + Command.clients

    static func main() {
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static func run(_ arguments: [String]) -> ExitCode {
        guard let name = arguments.first else {
            Output.error(help)
            return .usage
        }
        switch name {
        case "help", "--help", "-h":
            guard arguments.count > 1, let command = command(arguments[1]) else {
                Output.line(help)
                return .success
            }
            return command.run(["--help"])
        case "version", "--version":
            Output.line("mediahost \(HostVersion.text)")
            return .success
        default:
            guard let command = command(name) else {
                let hint = Suggestion.nearest(to: name, among: commands.map(\.name))
                Output.error("mediahost: no command \"\(name)\"" + (hint.map { "; did you mean \"\($0)\"?" } ?? ""))
                Output.error("`mediahost help` lists them")
                return .usage
            }
            return command.run(Array(arguments.dropFirst()))
        }
    }

    private static func command(_ name: String) -> Command? { commands.first { $0.name == name } }

    private static var help: String {
        let width = commands.map { "\($0.name) \($0.operands)".count }.max() ?? 0
        let lines = commands.map { command in
            let usage = "\(command.name) \(command.operands)"
            return "  \(usage)\(String(repeating: " ", count: width - usage.count))  \(command.summary)"
        }
        return """
            mediahost \(HostVersion.text): GStreamer pipelines from one YAML file, features as plugins

            Usage: mediahost COMMAND [OPTION...]

            \(lines.joined(separator: "\n"))
              help [COMMAND]\(String(repeating: " ", count: max(0, width - 14)))  help, also for one command
              version\(String(repeating: " ", count: max(0, width - 7)))  the version

            While a host runs: SIGTERM and SIGINT end it in order, SIGUSR1 pauses it, SIGUSR2 resumes it.

            Exit codes: 0 all well, 1 it failed, 2 the command line is wrong, 3 the configuration has errors,
            4 the control socket cannot be used or nobody answers there.
            """
    }
}
