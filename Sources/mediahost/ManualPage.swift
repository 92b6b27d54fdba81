internal import HostCore

/// `mediahost.1`, from the table of commands as the help is.
enum ManualPage {
    static var text: String {
        let version = HostVersion.text
        var lines = [
            ".\\\" Made by `mediahost help --man`.",
            ".TH MEDIAHOST 1 \"\" \"mediahost \(version)\" \"User Commands\"",
            ".SH NAME", "mediahost \\- \(inline(HelpText.title))",
            ".SH SYNOPSIS", ".B mediahost", ".I COMMAND", "[\\fIOPTION\\fR...]",
            ".SH DESCRIPTION",
            inline(
                "`mediahost run FILE` runs the pipelines and the plugins of a config. The other commands check configs and "
                    + "plugins, or ask the host that runs, over its control socket. Results go to standard output, everything "
                    + "else to standard error; colours and progress are for terminals only. Every command takes `--help`."
            ),
            ".SH COMMANDS",
        ]
        for command in CommandTable.all { lines += section(command) }
        lines += [".SH SIGNALS", inline(HelpText.signals), ".SH EXIT STATUS"]
        lines += HelpText.exitCodes.flatMap { entry("\($0.code.rawValue)", $0.meaning) }
        lines += [".SH ENVIRONMENT"]
        lines += HelpText.variables.flatMap { entry($0.name, $0.meaning) }
        lines += [
            ".SH SEE ALSO", ".BR mediahost.yaml (5),", ".BR gst\\-launch\\-1.0 (1),", ".BR gst\\-inspect\\-1.0 (1)",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ command: Command) -> [String] {
        var lines = [".SS \(escaped(command.usage, isCode: true))", inline(command.summary + ".")]
        for paragraph in command.details.split(separator: "\n") { lines += [".PP", inline(String(paragraph))] }
        return lines + command.options.flatMap { entry($0.usage, $0.help) }
    }

    /// A term in bold, and what it means.
    static func entry(_ term: String, _ meaning: String) -> [String] {
        [".TP", "\\fB\(escaped(term, isCode: true))\\fR", inline(meaning)]
    }

    /// Text with Markdown's code marks, as bold, in lines of less than 80 characters. None of them is taken for a request.
    static func inline(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        let marked = parts.enumerated().map { index, part in
            index % 2 == 0 ? escaped(part, isCode: false) : "\\fB\(escaped(part, isCode: true))\\fR"
        }.joined()
        return HelpText.fold(marked, width: 78).split(separator: "\n").map { line in
            (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + line
        }.joined(separator: "\n")
    }

    /// - Parameter isCode: what may be copied to a shell: its characters stay those that were meant.
    static func escaped(_ text: some StringProtocol, isCode: Bool) -> String {
        text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\\": "\\e"
            case "-" where isCode: "\\-"
            case "'" where isCode: "\\(aq"
            case "~" where isCode: "\\(ti"
            case "^" where isCode: "\\(ha"
            case _ where scalar.value > 0x7E: "\\[u\(hex(scalar.value))]"
            default: String(Character(scalar))
            }
        }.joined()
    }

    /// At least four digits, as groff wants them.
    private static func hex(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }
}
