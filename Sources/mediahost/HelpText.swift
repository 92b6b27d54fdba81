internal import HostCore

/// The help, from the table of commands: for a terminal, and as the Markdown of `docs/cli.md`.
enum HelpText {
    static let exitCodes: [(code: ExitCode, meaning: String)] = [
        (.success, "all well"),
        (.failure, "it failed"),
        (.usage, "the command line is wrong"),
        (.configuration, "the configuration has errors"),
        (.control, "the host cannot be reached, or lets nobody in: its socket, its address, its token"),
        (.interrupted, "Ctrl-C, while it waited for a command of a plugin"),
    ]

    static let variables: [(name: String, meaning: String)] = [
        ("MEDIAHOST_SOCKET", "the control socket, where neither `--socket` nor the config names one"),
        (
            "MEDIAHOST_HOST",
            "for clients: ADDRESS:PORT of a host in the network, where neither `--socket` nor `--host` is given"
        ),
        ("MEDIAHOST_TOKEN_FILE", "the file with the token for that, where `--token-file` names none"),
        (
            "MEDIAHOST_PLUGIN_PATH",
            "directories to look for plugins in, separated by colons; those of the config's `plugin-path` come first"
        ),
        (
            "MEDIAHOST_PROBE_LIMIT",
            "how long a plugin that is tried for the first time may take, `5s` where it is not set"
        ),
        (
            "MEDIAHOST_COMPLETION_LIMIT",
            "how long the completion of a word may wait for the host, `200ms` where it is not set"
        ),
        ("NO_COLOR", "where it is set: no colours, not even on a terminal"),
    ]

    static let title = "GStreamer pipelines from one YAML file, features as plugins"
    static let signals =
        "While a host runs: SIGTERM and SIGINT end it in order, SIGUSR1 pauses it, SIGUSR2 resumes it, SIGHUP reads its "
        + "config again."

    /// `mediahost help`
    static var overview: String {
        """
        mediahost \(HostVersion.text): \(title)

        Usage: mediahost COMMAND [OPTION...]

        \(table(CommandTable.all.map { ("\($0.name) \($0.operands)", $0.summary) }))

        \(fold(signals))

        Environment:
        \(table(variables.map { ($0.name, plain($0.meaning)) }))

        Exit codes:
        \(table(exitCodes.map { ("\($0.code.rawValue)", $0.meaning) }))

        `mediahost help COMMAND` and `mediahost COMMAND --help` say more of one.
        """
    }

    /// `mediahost help COMMAND`
    static func page(of command: Command) -> String {
        var text = "mediahost \(command.name): \(command.summary)\n\nUsage: \(command.usage)\n"
        if !command.details.isEmpty {
            text += "\n" + paragraphs(command.details).map(fold).joined(separator: "\n\n") + "\n"
        }
        return text + "\nOptions:\n" + table((command.options + [.help]).map { ($0.usage, plain($0.help)) })
    }

    /// `docs/cli.md`
    static var markdown: String {
        let pages = CommandTable.all.map { command in
            var page = "## `\(command.usage)`\n\n\(command.summary).\n"
            for paragraph in paragraphs(command.details) { page += "\n\(fold(paragraph, width: 120))\n" }
            guard !command.options.isEmpty else { return page }
            return page + "\n" + markdownTable("option", command.options.map { ("`\($0.usage)`", $0.help) })
        }
        return """
            # The command line

            \(title). This page is what `mediahost help` says, written by
            `make docs`; a test compares them. Every command takes `--help`. Results go to standard output, everything else to
            standard error; colours and progress are for terminals only. `--json` is for scripts; what a running host refuses
            comes as JSON, too.

            \(pages.joined(separator: "\n"))
            ## Signals

            \(signals)

            ## Exit codes

            \(markdownTable("code", exitCodes.map { ("\($0.code.rawValue)", $0.meaning) }))
            ## Environment

            \(markdownTable("variable", variables.map { ("`\($0.name)`", $0.meaning) }))
            """
    }

    private static func markdownTable(_ head: String, _ rows: [(String, String)]) -> String {
        "| \(head) | meaning |\n|---|---|\n" + rows.map { "| \($0.0) | \($0.1) |\n" }.joined()
    }

    /// Two columns; a left cell that is too wide has its right one on the next line.
    private static func table(_ rows: [(left: String, right: String)]) -> String {
        let width = rows.map(\.left.count).filter { $0 <= 24 }.max() ?? 24
        let margin = String(repeating: " ", count: width + 4)
        return rows.map { row in
            let gap =
                row.left.count <= width ? String(repeating: " ", count: width - row.left.count + 2) : "\n" + margin
            let lines = fold(row.right, width: 96 - width - 4).split(separator: "\n")
            return "  \(row.left)\(gap)" + lines.joined(separator: "\n" + margin)
        }.joined(separator: "\n")
    }

    private static func paragraphs(_ text: String) -> [String] {
        text.isEmpty ? [] : text.split(separator: "\n").map(String.init)
    }

    /// Markdown's code marks are noise inside a table on a terminal.
    private static func plain(_ text: String) -> String { text.filter { $0 != "`" } }

    private static func fold(_ text: String) -> String { fold(text, width: 96) }

    static func fold(_ text: String, width: Int) -> String {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
