internal import HostCore
internal import PluginScaffold

extension Command {
    /// `mediahost plugin list`, `mediahost plugin info NAME|FILE`, `mediahost plugin new NAME`
    static let plugin = Command(
        name: "plugin",
        operands: "list | WORD NAME|FILE [KEY=VALUE...]",
        summary: "List the plugins that are found, say what one is, try one, or begin a new one",
        details: """
            WORD is info, show, set, enable, disable, check or new; `list`, and `show` for all, need no NAME.
            A library that is not known is tried in a process of its own first; what crashes or hangs there is in quarantine until its file changes or `--probe-again` tries it once more. `list` looks where a config without `plugin-path` looks; `info` takes the path of any library, too, and shows the keys that the plugin takes in the config.
            With `--json`, `list` has `directories` and `modules`; a module has name, file, state (ok, quarantined, broken), reason, help and its `plugins`. Exit code 1 where `info` finds none that loads.
            `show` asks a running host: for the plugins of its config, or for everything of one, with the config in force. `disable` ends one in order; it stays away, also over reloads, until `enable` or the next start; with `--save` also after that, until `enable --save`. `enable` begins one that has failed, too.
            `set` gives a plugin of a running host other values for keys of its config, where it takes them while it runs; keys of maps are joined with dots, lists are written as JSON. With `--save` they hold after a restart, too. Files and secrets are for the config alone.
            `check` tries a library, each trial in a process of its own and most of them a second time with every call serialised to another process: a crash, a hang and a fault are told apart, and a fault comes with what was expected and how to mend it. KEY=VALUE and `--config` give settings that cannot be guessed; pads to name are video/encoded.src, video/raw.src and audio/raw.src. The same seed gives the same trials. Exit code 1 where one is not passed.
            `new` writes a package that builds outside of mediahost, with a test and a config to try it: a plugin that counts the buffers of a pad, in Swift or C. NAME has letters, digits and `-`; `door-bell` becomes libDoorBell.so.
            """,
        options: clientOptions + [
            .probeAgain,
            OptionSpec(long: "save", help: "For `set`, `enable` and `disable`: it holds after a restart, too"),
            OptionSpec(
                long: "config", short: "c", help: "For `check`: a file with the plugin's settings", value: "FILE"),
            OptionSpec(long: "seed", help: "For `check`: the seed of what is random", value: "N"),
            OptionSpec(
                long: "only", help: "For `check`: these trials alone: storm or storm/serialised, separated by commas",
                value: "TRIAL"),
            OptionSpec(long: "list", help: "For `check`: say which trials there are"),
            OptionSpec(long: "lang", short: "l", help: "What a new plugin is written in: swift or c", value: "LANG"),
            OptionSpec(
                long: "directory", short: "d", help: "Where a new plugin is written, new or empty (default: its name)",
                value: "DIR"),
        ], words: pluginWords
    ) { arguments throws(UsageError) in
        try refuseForeignOptions(arguments)
        let asJSON = arguments.switches.contains("json")
        let gate = PluginGate(
            environment: ProcessEnvironment.variables(),
            probesAgain: arguments.switches.contains("probe-again"), log: .standardError())
        switch (arguments.operands.first, arguments.operands.count) {
        case ("list", 1):
            let inventory = PluginInventory.gather(gate)
            if asJSON { Output.json(inventory.value) } else { Output.line(inventory.render()) }
            return .success
        case ("new", 2): return try begin(arguments.operands[1], arguments)
        case ("new", _): throw UsageError("give one name for the new plugin")
        case ("info", 2): return info(arguments.operands[1], gate, asJSON: asJSON)
        case ("info", _): throw UsageError("give the name or the file of one plugin")
        case ("show", 1...2): return try showRunning(arguments)
        case ("show", _): throw UsageError("give one plugin of the running host, or none")
        case ("enable", 2), ("disable", 2):
            let word = arguments.operands[0]
            return try change("plugin \(word)", arguments) { (client, timeout, saving) throws(ControlError) in
                try client.turn(
                    plugin: arguments.operands[1], on: word == "enable", saving: saving, timeout: timeout)
            }
        case ("enable", _), ("disable", _): throw UsageError("give one plugin of the running host")
        case ("set", _): return try setPlugin(arguments)
        case ("check", _): return try check(arguments)
        case ("list", _): throw UsageError("unexpected \"\(arguments.operands[1])\"")
        case (let word?, _):
            let hint = Suggestion.nearest(to: word, among: pluginWords).map {
                "; did you mean \"\($0)\"?"
            }
            throw UsageError("there is no \"plugin \(word)\"\(hint ?? "")")
        case (nil, _): throw UsageError("give \(pluginWords.joined(separator: ", "))")
        }
    }

    private static let pluginWords = ["list", "info"] + hostWords + ["check", "new"]
    /// Those that ask a running host.
    private static let hostWords = ["show", "set", "enable", "disable"]

    /// An option that the word does not know would do nothing.
    private static func refuseForeignOptions(_ arguments: ParsedArguments) throws(UsageError) {
        let words = [
            "json": ["list", "info", "check"] + hostWords, "socket": hostWords, "host": hostWords,
            "token-file": hostWords,
            "timeout": hostWords, "save": ["set", "enable", "disable"],
            "probe-again": ["list", "info"], "config": ["check"], "seed": ["check"],
            "only": ["check"], "list": ["check"], "lang": ["new"], "directory": ["new"],
        ]
        guard let word = arguments.operands.first, words.values.contains(where: { $0.contains(word) }) else { return }
        for option in arguments.switches.union(arguments.values.keys).sorted() {
            guard let known = words[option], !known.contains(word) else { continue }
            let others = known.map { "`plugin \($0)`" }.joined(separator: ", ")
            throw UsageError("--\(option) is for \(others), not for `plugin \(word)`")
        }
    }

    private static func showRunning(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        guard arguments.operands.count == 1 else {
            return try ask("plugin show", arguments) { (client, timeout) throws(ControlError) in
                try client.plugin(arguments.operands[1], timeout: timeout)
            }
        }
        let rows = try answer("plugin show", arguments) { (client, timeout) throws(ControlError) in
            try client.plugins(timeout: timeout)
        }
        switch rows {
        case .failure(let code): return code
        case .success(let value) where arguments.switches.contains("json"): Output.json(value)
        case .success(let value):
            let lines = (value.list ?? []).map { row in
                [
                    row["name"]?.string ?? "", row["module"]?.string ?? "", row["state"]?.string ?? "",
                    row["version"]?.string ?? "-", "\(row["restarts"]?.int ?? 0)", row["reason"]?.string ?? "",
                ]
            }
            guard !lines.isEmpty else {
                Output.line("there are no plugins")
                return .success
            }
            for line in TextTable.lines([["NAME", "MODULE", "STATE", "VERSION", "RESTARTS", "REASON"]] + lines) {
                Output.line(line)
            }
        }
        return .success
    }

    private static func info(_ name: String, _ gate: PluginGate, asJSON: Bool) -> ExitCode {
        do throws(PluginFailure) {
            let module = try PluginInventory.module(name, gate)
            if asJSON { Output.json(module.value) } else { Output.line(module.render()) }
            return module.isUsable ? .success : .failure
        } catch {
            Output.error("mediahost plugin: \(error)")
            return .failure
        }
    }

    private static func begin(_ name: String, _ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        let languages = ScaffoldLanguage.allCases.map(\.rawValue)
        guard let given = arguments.values["lang"] else {
            throw UsageError("say what \(name) is written in: --lang=\(languages.joined(separator: " or --lang="))")
        }
        guard let language = ScaffoldLanguage(rawValue: given) else {
            throw UsageError("--lang is \(languages.joined(separator: " or ")), not \"\(given)\"")
        }
        let plugin: PluginName
        do throws(PluginName.Refused) { plugin = try PluginName(name) } catch { throw UsageError(error.text) }
        let directory = arguments.values["directory"] ?? name
        do throws(PluginScaffold.Failure) {
            let scaffold = try PluginScaffold(plugin, in: language)
            let files = try scaffold.write(to: directory)
            Output.line("wrote \(directory): \(files.joined(separator: ", "))")
            Output.line("next: `cd \(ShellWord.quoted(directory)) && \(scaffold.nextSteps)`")
            return .success
        } catch {
            Output.error("mediahost plugin new: \(error)")
            return .failure
        }
    }

    /// What a host runs to try a library, told from a user's command by where it stands: `plugin probe --parent=PID -- FILE`.
    /// Does not return where it is one.
    static func probe(_ arguments: [String]) {
        guard arguments.count == 5, arguments.starts(with: ["plugin", "probe"]), arguments[3] == "--" else { return }
        ProbeChild.run(arguments[4], parent: arguments[2].split(separator: "=").last.flatMap { Int32($0) })
    }

    /// What a host starts to hold files for it: `plugin keep SOCKET`, with nothing on the standard files. Does not return then.
    static func keep(_ arguments: [String]) {
        guard arguments.count == 3, arguments.starts(with: ["plugin", "keep"]), arguments[2].hasPrefix("/") else {
            return
        }
        FileKeeper.run(arguments[2])
    }

    /// The processes of a trial, told from a user's command in the same way.
    static func trial(_ arguments: [String]) {
        guard arguments.count >= 5, arguments[0] == "plugin", arguments[3] == "--" else { return }
        let parent = arguments[2].split(separator: "=").last.flatMap { Int32($0) }
        switch (arguments[1], arguments.count) {
        case ("survey", 6): SurveyChild.run(arguments[4], arguments[5], parent: parent)
        case ("trial", 6): TrialChild.run(arguments[4], arguments[5], parent: parent)
        case ("guest", 5): GuestChild.run(arguments[4], parent: parent)
        default: return
        }
    }
}
