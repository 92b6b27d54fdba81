internal import HostCore

/// Commands of plugins.
extension Command {
    /// `mediahost call replay.save last=5s`, `mediahost call replay save last=5s`
    static let call = Command(
        name: "call", operands: "PLUGIN.COMMAND [KEY=VALUE...]",
        summary: "Call a command of a plugin, as in: call replay.save last=5s to=clip.mkv",
        details: """
            `mediahost commands` says what there is and what each takes; PLUGIN COMMAND in two words is as good. A relative path of a file is one from here, wherever the host was started; with `--host` it is a file of the host's machine.
            On a terminal an answer that declares a table is shown as one, with times of day and bars; `--table` asks for it elsewhere, too. `--watch` asks again each second (each five where energy is to be saved and no `--interval` says otherwise) and draws it in place until `q` or Ctrl-C: for commands that declare a table, since those show and do nothing else.
            Waits as long as the command makes progress, and shows that on a terminal; with `--timeout` that long at most. Ctrl-C has the plugin told that it is not wanted any more, a second one ends this at once. `--no-wait` prints the job in place of the result: `mediahost jobs` knows more of it.
            """,
        options: callOptions + [
            OptionSpec(
                long: "no-wait", help: "Do not wait for the result: print the job of a command that takes longer"),
            OptionSpec(
                long: "table", help: "A table where the answer declares one, also where the output is no terminal"),
            OptionSpec(long: "watch", short: "w", help: "Ask again and again, and draw the table in place"),
            intervalOption,
        ]
    ) { arguments throws(UsageError) in
        let call = try CallWords(arguments.operands)
        let isJSON = arguments.switches.contains("json")
        if arguments.switches.contains("watch") {
            if isJSON { throw UsageError("--watch and --json contradict each other") }
            return try watch(call, arguments)
        }
        if arguments.switches.contains("table"), isJSON { throw UsageError("--table and --json contradict each other") }
        let showsTable = arguments.switches.contains("table") || (Terminal.isTerminal(Terminal.output) && !isJSON)
        var schema: Value?
        let isDetached = arguments.switches.contains("no-wait")
        return try follow("call", arguments, table: { AnswerTable($0, schema: schema) }) {
            (client, timeout, watch) throws(ControlError) in
            var parameters = call.parameters
            if client.place.isLocal || showsTable {
                let command = try client.commands(timeout: timeout)[call.plugin]?[call.command]
                if client.place.isLocal { parameters = absolute(parameters, command) }
                if showsTable { schema = command?["result"] }
            }
            let answer: ControlClient.CallAnswer = try client.call(
                instance: call.plugin, command: call.command, parameters: parameters,
                patience: isDetached ? .zero : JobWatch.interval, timeout: timeout)
            switch answer {
            case .result(let value): return value
            case .job(let job): return isDetached ? job : try watch.follow(job, client)
            }
        }
    }

    /// Relative paths are seen from here.
    private static func absolute(_ parameters: Value, _ command: Value?) -> Value {
        CommandParameters.absolute(
            parameters, schema: command?["parameters"], in: ProcessEnvironment.workingDirectory())
    }

    /// Seconds between two pictures where energy is to be saved.
    private static let savingInterval = 5.0

    /// `mediahost call laundry.list --watch`
    private static func watch(_ call: CallWords, _ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        let name = "\(call.plugin).\(call.command)"
        let isPaced = arguments.values["interval"] != nil
        return try live(
            "call", every: try interval(arguments), instead: "leave --watch out for one answer", arguments
        ) { (client, timeout) throws(ControlError) -> (table: AnswerTable, isSaving: Bool) in
            var isSaving = false
            if !isPaced {
                let desired = try client.status(timeout: timeout)["lifecycle"]?["desired"]?.list ?? []
                isSaving = desired.contains { $0.string == "low-power" }
            }
            let command = try client.commands(timeout: timeout)[call.plugin]?[call.command]
            // Each time it is asked something else may be done.
            guard command == nil || AnswerTable.isDeclared(by: command?["result"]) else {
                throw ControlError(
                    .state, "\(name) declares no table: --watch is for commands that show something and do nothing else"
                )
            }
            let parameters = client.place.isLocal ? absolute(call.parameters, command) : call.parameters
            let value = try client.call(
                instance: call.plugin, command: call.command, parameters: parameters, timeout: timeout)
            guard let table = AnswerTable(value, schema: command?["result"]) else {
                throw ControlError(.notFound, "there is no \(name)")
            }
            return (table, isSaving)
        } picture: { (answer, canvas) in
            let title = answer.isSaving ? "\(name)   each \(Int(savingInterval)) s, to save energy" : name
            let lines = [title, ""] + answer.table.lines(columns: canvas.columns, hasColours: canvas.hasColours)
            return Picture(
                lines: Array(lines.prefix(canvas.rows)), pause: answer.isSaving ? savingInterval : nil)
        }
    }

    /// `mediahost jobs`, `mediahost jobs wait ID`
    static let jobs = Command(
        name: "jobs", operands: "[show ID | wait ID | cancel ID]",
        summary: "The commands of plugins that run, and the last long ones that have ended",
        details: """
            A line for each, or with `--json` what the API has. `show ID` says everything of one, with its result; `wait ID` shows its progress on a terminal, and prints its result when it has ended; `cancel ID` has the plugin told that it is not wanted any more.
            """,
        options: callOptions, words: ["show", "wait", "cancel"]
    ) { arguments throws(UsageError) in
        switch (arguments.operands.first, arguments.operands.count) {
        case (nil, _): return try listJobs(arguments)
        case ("wait", 2):
            return try follow("jobs wait", arguments) { (client, timeout, watch) throws(ControlError) in
                try watch.follow(try client.job(arguments.operands[1], timeout: timeout), client)
            }
        case ("show", 2), ("cancel", 2):
            let cancels = arguments.operands[0] == "cancel"
            return try ask("jobs \(arguments.operands[0])", arguments) { (client, timeout) throws(ControlError) in
                cancels
                    ? try client.cancel(job: arguments.operands[1], timeout: timeout)
                    : try client.job(arguments.operands[1], timeout: timeout)
            }
        case ("show", _), ("wait", _), ("cancel", _): throw UsageError("name one job by its ID")
        case (let word?, _):
            let hint = Suggestion.nearest(to: word, among: ["show", "wait", "cancel"]).map {
                "; did you mean \"\($0)\"?"
            }
            throw UsageError("there is no \"jobs \(word)\"\(hint ?? "")")
        }
    }

    private static let callOptions =
        clientOptions.filter { $0.long != "timeout" } + [
            OptionSpec(
                long: "timeout", short: "t",
                help: "How long to wait for the end (default: while there is progress; then it is cancelled)",
                value: "SECONDS")
        ]

    /// Asks, and waits for the end of a job.
    private static func follow(
        _ name: String, _ arguments: ParsedArguments, table: (Value) -> AnswerTable? = { _ in nil },
        _ request: (ControlClient, Duration, JobWatch) throws(ControlError) -> Value
    ) throws(UsageError) -> ExitCode {
        let watch = JobWatch(limit: arguments.values["timeout"].flatMap { Int($0) })
        defer { watch.end() }
        let answer = try answer(name, arguments, beforeError: watch.end) { (client, timeout) throws(ControlError) in
            try request(client, timeout, watch)
        }
        switch answer {
        case .failure(let code): return watch.isInterrupted ? .interrupted : code
        case .success(let value):
            watch.end()
            if arguments.switches.contains("json") {
                Output.json(value)
            } else if let table = table(value) {
                let lines = table.lines(
                    columns: Terminal.columns(Terminal.output), hasColours: Terminal.hasColours(Terminal.output))
                Output.line(lines.joined(separator: "\n"))
            } else {
                Output.line(ValueText.render(value))
            }
            return .success
        }
    }

    private static func listJobs(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        switch try answer(
            "jobs", arguments, { (client, timeout) throws(ControlError) in try client.jobs(timeout: timeout) })
        {
        case .failure(let code): return code
        case .success(let value) where arguments.switches.contains("json"): Output.json(value)
        case .success(let value):
            let rows = (value.list ?? []).map { job in
                [
                    job["id"]?.string ?? "", "\(job["plugin"]?.string ?? "").\(job["command"]?.string ?? "")",
                    job["state"]?.string ?? "", job["progress"]?.double.map { "\(Int($0 * 100)) %" } ?? "-",
                    TimeText.long(nanoseconds: job["elapsed_ns"]?.int ?? 0),
                    job["error"]?["detail"]?.string ?? job["text"]?.string ?? "",
                ]
            }
            guard !rows.isEmpty else {
                Output.line("no command runs")
                return .success
            }
            for line in TextTable.lines([["ID", "COMMAND", "STATE", "DONE", "TIME", "WHAT"]] + rows) {
                Output.line(line)
            }
        }
        return .success
    }
}
