internal import HostCore

extension Command {
    /// `mediahost plugin check FILE [KEY=VALUE...]`
    static func check(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        let asJSON = arguments.switches.contains("json")
        if arguments.switches.contains("list") {
            let trials = PluginCheck.trials
            if asJSON {
                Output.json(.list(trials.map { ["name": .string($0.name), "summary": .string($0.summary)] }))
            } else {
                for trial in trials { Output.line("\(trial.name)  \(trial.summary)") }
            }
            return .success
        }
        guard arguments.operands.count > 1 else { throw UsageError("give the file of a plugin's library") }
        let progress = Progress()
        do throws(PluginFailure) {
            let check = try PluginCheck(try checkOptions(arguments))
            var told: Set<String> = []
            let outcome = check.run(
                begin: { progress.show("trying \($0)") },
                end: { result in
                    progress.end()
                    if !asJSON { Output.line(result.text(&told)) }
                })
            progress.end()
            if asJSON { Output.json(outcome.value) } else { Output.line(outcome.summary) }
            return outcome.isGood ? .success : .failure
        } catch {
            throw UsageError("\(error)")
        }
    }

    private static func checkOptions(_ arguments: ParsedArguments) throws(PluginFailure) -> PluginCheck.Options {
        let words = try PluginCheck.settings(words: Array(arguments.operands.dropFirst(2)))
        var settings = words
        if let file = arguments.values["config"] {
            let written = try PluginCheck.settings(file: file).members ?? []
            let more = words.members ?? []
            settings = .map(written.filter { member in !more.contains { $0.key == member.key } } + more)
        }
        var seed: UInt64?
        if let text = arguments.values["seed"] {
            seed = UInt64(text)
            guard seed != nil else { throw PluginFailure("--seed is a whole number, not \"\(text)\"") }
        }
        return PluginCheck.Options(
            path: arguments.operands[1], settings: settings, seed: seed,
            only: (arguments.values["only"] ?? "").split(separator: ",").map(String.init),
            environment: ProcessEnvironment.variables())
    }
}
