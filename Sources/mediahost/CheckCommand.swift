internal import HostCore

/// `mediahost check FILE`
enum CheckCommand: Command {
    static let name = "check"
    static let operands = "FILE"
    static let summary = "Say everything that is wrong with a config file, without running it"

    static func run(_ arguments: ParsedArguments) -> ExitCode {
        guard let file = arguments.operands.first, arguments.operands.count == 1 else {
            return usageError("give one config file")
        }
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
                "\(file): no errors (\(configuration.pipelines.count) pipelines, \(configuration.plugins.count) plugins)"
            )
            return .success
        } catch {
            Output.error("mediahost check: \(error)")
            return .failure
        }
    }
}
