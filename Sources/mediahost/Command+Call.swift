internal import HostCore

/// Commands of plugins.
extension Command {
    /// `mediahost call replay.save last=5s`, `mediahost call replay save last=5s`
    static let call = Command(
        name: "call", operands: "PLUGIN.COMMAND [KEY=VALUE...]",
        summary: "Call a command of a plugin, as in: call replay.save last=5s to=clip.mkv",
        details: """
            `mediahost commands` says what there is and what each takes; PLUGIN COMMAND in two words is as good. A relative path of a file is one from here, wherever the host was started; with `--host` it is a file of the host's machine.
            Waits as long as the command makes progress, and shows that on a terminal; with `--timeout` that long at most. Ctrl-C has the plugin told that it is not wanted any more, a second one ends this at once. `--no-wait` prints the job in place of the result: `mediahost jobs` knows more of it.
            """,
        options: callOptions + [
            OptionSpec(
                long: "no-wait", help: "Do not wait for the result: print the job of a command that takes longer")
        ]
    ) { arguments throws(UsageError) in
        let call = try CallWords(arguments.operands)
        let isDetached = arguments.switches.contains("no-wait")
        return try follow("call", arguments) { (client, timeout, watch) throws(ControlError) in
            var parameters = call.parameters
            if client.place.isLocal {
                let schema = try client.commands(timeout: timeout)[call.plugin]?[call.command]?["parameters"]
                parameters = CommandParameters.absolute(
                    parameters, schema: schema, in: ProcessEnvironment.workingDirectory())
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
        _ name: String, _ arguments: ParsedArguments,
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
            if arguments.switches.contains("json") { Output.json(value) } else { Output.line(ValueText.render(value)) }
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
