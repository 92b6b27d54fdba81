internal import HostCore

extension Command {
    /// `mediahost check FILE`
    static let check = Command(
        name: "check", operands: "FILE",
        summary: "Say everything that is wrong with a config file, without running it"
    ) { arguments throws(UsageError) in
        let file = try arguments.configFile()
        return MainLoop.runToEnd { check(file) } ?? .failure
    }

    @HostActor
    private static func check(_ file: String) -> ExitCode {
        do throws(PluginFailure) {
            let result = try ConfigurationCheck.full(
                file, environment: ProcessEnvironment.variables(), log: .standardError())
            Output.report(result.diagnostics)
            guard let configuration = result.configuration else { return .configuration }
            Output.line(
                "\(file): no errors (\(configuration.summary))"
            )
            return .success
        } catch {
            Output.error("mediahost check: \(error)")
            return .failure
        }
    }
}
