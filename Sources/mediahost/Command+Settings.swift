internal import HostCore

/// Settings that change while a host runs, and what was saved of them.
extension Command {
    static let saveOption = OptionSpec(long: "save", help: "Keep it: it holds after a restart, too")

    /// `mediahost config`, `mediahost config overrides`, `mediahost config reset camera/source.pattern`
    static let config = Command(
        name: "config", operands: "[overrides | reset [KEY]]",
        summary: "The configuration that a running host has, without its secrets; what was saved while it ran",
        details: """
            With includes, variables and templates put in, and all defaults. Texts from `${secret:NAME}` are `***`.
            `overrides` lists what `--save` has kept, as PIPELINE/ELEMENT.PROPERTY or PLUGIN.KEY. `reset KEY` takes one away, or all below a name, as in `reset camera`; `reset` takes all. What holds now goes on until `mediahost reload`, or the next start.
            """,
        options: clientOptions, words: ["overrides", "reset"]
    ) { arguments throws(UsageError) in
        switch (arguments.operands.first, arguments.operands.count) {
        case (nil, _):
            return try ask("config", arguments) { (client, timeout) throws(ControlError) in
                try client.configuration(timeout: timeout)
            }
        case ("overrides", 1): return try listOverrides(arguments)
        case ("reset", 1...2):
            let key = arguments.operands.count == 2 ? arguments.operands[1] : nil
            return try ask("config reset", arguments) { (client, timeout) throws(ControlError) in
                try client.resetOverrides(key, timeout: timeout)
            }
        case (let word?, _):
            guard !["overrides", "reset"].contains(word) else {
                throw UsageError("`config \(word)` takes \(word == "reset" ? "one KEY, or none" : "nothing else")")
            }
            let hint = Suggestion.nearest(to: word, among: ["overrides", "reset"]).map { "; did you mean \"\($0)\"?" }
            throw UsageError("there is no \"config \(word)\"\(hint ?? "")")
        }
    }

    private static func listOverrides(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        let answer = try answer("config overrides", arguments) { (client, timeout) throws(ControlError) in
            try client.overrides(timeout: timeout)
        }
        switch answer {
        case .failure(let code): return code
        case .success(let value) where arguments.switches.contains("json"): Output.json(value)
        case .success(let value):
            let rows = (value["settings"]?.list ?? []).map {
                [$0["key"]?.string ?? "", $0["value"].map(ValueText.render) ?? ""]
            }
            guard !rows.isEmpty else {
                Output.line("nothing is saved")
                return .success
            }
            for line in TextTable.lines([["SETTING", "VALUE"]] + rows) { Output.line(line) }
        }
        return .success
    }

    /// `mediahost plugin set NAME KEY=VALUE...`
    static func setPlugin(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        guard arguments.operands.count > 2 else { throw UsageError("name a plugin and KEY=VALUE") }
        var changes = Value.map([])
        for word in arguments.operands.dropFirst(2) {
            guard let (key, text) = keyAndValue(word) else { throw UsageError("\"\(word)\" is not KEY=VALUE") }
            // Lists and maps are written as JSON.
            let isJSON = text.hasPrefix("[") || text.hasPrefix("{")
            let value = (isJSON ? try? JSONText.parse(text) : nil) ?? .string(text)
            changes = changes.with(value, at: key.split(separator: ".").map(String.init)[...])
        }
        return try change("plugin set", arguments) { (client, timeout, saving) throws(ControlError) in
            try client.configure(plugin: arguments.operands[1], changes, saving: saving, timeout: timeout)
        }
    }

    /// Asks for a change that may be saved. What holds and was not saved is a failure, and is said.
    static func change(
        _ name: String, _ arguments: ParsedArguments,
        _ request: (ControlClient, Duration, Bool) throws(ControlError) -> Value
    ) throws(UsageError) -> ExitCode {
        let saving = arguments.switches.contains("save")
        let result = try answer(name, arguments) { (client, timeout) throws(ControlError) in
            try request(client, timeout, saving)
        }
        switch result {
        case .failure(let code): return code
        case .success(let value):
            if arguments.switches.contains("json") {
                Output.json(value)
            } else {
                Output.line(ValueText.render(value))
            }
            guard value["saved"]?.bool == false else { return .success }
            let reason = (value["save_reason"] ?? value["reason"])?.string ?? "no reason given"
            Output.error("mediahost \(name): it holds now, but was not saved: \(reason)")
            return .failure
        }
    }

    /// `KEY=VALUE`
    static func keyAndValue(_ word: String) -> (key: String, value: String)? {
        guard let equals = word.firstIndex(of: "="), equals > word.startIndex else { return nil }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }
}

extension Value {
    /// This map with a value at the end of a path of keys.
    fileprivate func with(_ value: Value, at path: ArraySlice<String>) -> Value {
        guard let first = path.first else { return value }
        var members = self.members ?? []
        let inner = (self[first] ?? .map([])).with(value, at: path.dropFirst())
        members.removeAll { $0.key == first }
        return .map(members + [.init(first, inner)])
    }
}
