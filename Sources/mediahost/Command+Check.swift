internal import HostCore

extension Command {
    /// `mediahost check FILE`
    static let check = Command(
        name: "check", operands: "FILE",
        summary: "Say everything that is wrong with a config file, without running it",
        details: "Pipelines are built and thrown away: no device is opened. With `--json` the diagnostics are in "
            + "`diagnostics`, each with severity, message, file, line, column, end_line, end_column, and where there are, "
            + "suggestion and help.",
        options: [.json, .probeAgain]
    ) { arguments throws(UsageError) in
        let file = try arguments.configFile()
        let asJSON = arguments.switches.contains("json")
        let probesAgain = arguments.switches.contains("probe-again")
        return MainLoop.runToEnd { check(file, probesAgain: probesAgain, asJSON: asJSON) } ?? .failure
    }

    @HostActor
    private static func check(_ file: String, probesAgain: Bool, asJSON: Bool) -> ExitCode {
        let progress = Progress()
        do throws(PluginFailure) {
            let environment = ProcessEnvironment.variables()
            let gate = PluginGate(environment: environment, probesAgain: probesAgain, log: .standardError())
            let result = try ConfigurationCheck.full(
                file, environment: environment, gate: gate, log: .standardError()
            ) { progress.show("\(file): \($0) ...") }
            progress.end()
            if asJSON {
                Output.json(result.value(for: file))
            } else {
                Output.report(result.diagnostics)
                if let configuration = result.configuration {
                    Output.line("\(file): no errors (\(configuration.summary))")
                }
            }
            return result.configuration == nil ? .configuration : .success
        } catch {
            progress.end()
            Output.error("mediahost check: \(error)")
            return .failure
        }
    }
}
