internal import HostCore

extension Command {
    /// `mediahost status`
    static let status = Command(
        name: "status", summary: "What a running host, its pipelines and its plugins are doing",
        details: """
            On a terminal a table, as wide as the terminal: what is longer is cut and ends in `…`. `--table` asks for it elsewhere, too; there nothing is cut, unless `COLUMNS` says how wide it may be.
            Where the output is no terminal it is all that the host says, a value a line, as ever: scripts that read these lines go on working. New ones do better with `--json`, which does not change.
            """,
        options: clientOptions + [
            OptionSpec(long: "table", help: "A table, also where the output is no terminal")
        ]
    ) { arguments throws(UsageError) in
        try arguments.requireNoOperands()
        let asksForTable = arguments.switches.contains("table")
        let isJSON = arguments.switches.contains("json")
        if asksForTable, isJSON { throw UsageError("--table and --json contradict each other") }
        guard asksForTable || (Terminal.isTerminal(Terminal.output) && !isJSON) else {
            return try ask("status", arguments) { (client, timeout) throws(ControlError) in
                try client.status(timeout: timeout)
            }
        }
        let table = try answer("status", arguments) { (client, timeout) throws(ControlError) in
            StatusTable(
                status: try client.status(timeout: timeout), pipelines: try client.pipelines(timeout: timeout))
        }
        switch table {
        case .failure(let code): return code
        case .success(let table):
            let lines = table.lines(
                columns: Terminal.columns(Terminal.output), hasColours: Terminal.hasColours(Terminal.output))
            Output.line(lines.joined(separator: "\n"))
            return .success
        }
    }
}
