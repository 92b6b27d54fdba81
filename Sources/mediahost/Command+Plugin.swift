internal import HostCore

extension Command {
    /// `mediahost plugin list`, `mediahost plugin info NAME|FILE`
    static let plugin = Command(
        name: "plugin", operands: "list | info NAME|FILE",
        summary: "List the plugins that are found and whether they load, or say what one of them is",
        details: """
            A library that is not known is tried in a process of its own first; what crashes or hangs there is in quarantine until its file changes or `--probe-again` tries it once more. `list` looks where a config without `plugin-path` looks; `info` takes the path of any library, too, and shows the keys that the plugin takes in the config.
            With `--json`, `list` has `directories` and `modules`; a module has name, file, state (ok, quarantined, broken), reason, help and its `plugins`. Exit code 1 where `info` finds none that loads.
            """,
        options: [.json, .probeAgain], words: ["list", "info"]
    ) { arguments throws(UsageError) in
        let asJSON = arguments.switches.contains("json")
        let gate = PluginGate(
            environment: ProcessEnvironment.variables(),
            probesAgain: arguments.switches.contains("probe-again"), log: .standardError())
        switch (arguments.operands.first, arguments.operands.count) {
        case ("list", 1):
            let inventory = PluginInventory.gather(gate)
            if asJSON { Output.json(inventory.value) } else { Output.line(inventory.render()) }
            return .success
        case ("info", 2): return info(arguments.operands[1], gate, asJSON: asJSON)
        case ("info", _): throw UsageError("give the name or the file of one plugin")
        case ("list", _): throw UsageError("unexpected \"\(arguments.operands[1])\"")
        case (let word?, _):
            let hint = Suggestion.nearest(to: word, among: ["list", "info"]).map { "; did you mean \"\($0)\"?" }
            throw UsageError("there is no \"plugin \(word)\"\(hint ?? "")")
        case (nil, _): throw UsageError("give list or info")
        }
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

    /// What a host runs to try a library, told from a user's command by where it stands: `plugin probe --parent=PID -- FILE`.
    /// Does not return where it is one.
    static func probe(_ arguments: [String]) {
        guard arguments.count == 5, arguments.starts(with: ["plugin", "probe"]), arguments[3] == "--" else { return }
        ProbeChild.run(arguments[4], parent: arguments[2].split(separator: "=").last.flatMap { Int32($0) })
    }
}
