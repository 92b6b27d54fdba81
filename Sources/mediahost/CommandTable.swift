internal import HostCore

/// All commands, in the order a new user meets them. The help, `docs/cli.md` and the shell's completion come from here.
enum CommandTable {
    static let all: [Command] =
        [.initialise, .check, .elements, .run, .plugin, .doctor, .graph] + Command.clients + Command.streams
        + Command.lifecycle + [
            .pipeline, .web, .timers,
            .schema, .version, .completion, .help,
        ]

    static func find(_ name: String) -> Command? { all.first { $0.name == name } }

    /// `no command "rnu"; did you mean "run"?`
    static func explainMissing(_ name: String) -> String {
        let hint = Suggestion.nearest(to: name, among: all.map(\.name))
        return "no command \"\(name)\"" + (hint.map { "; did you mean \"\($0)\"?" } ?? "")
    }
}
