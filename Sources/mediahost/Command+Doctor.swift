internal import HostCore

extension Command {
    /// `mediahost doctor [FILE]`
    static let doctor = Command(
        name: "doctor", operands: "[FILE]",
        summary: "Look at what mediahost needs of this machine, and say what to do where it is not well",
        details: """
            GStreamer's registry, the plugins, a given config and its elements, devices and who may use them, the directories written to, kernel limits, the clock, and what systemd gave.
            Exit code 1 where something will not work; warnings alone are 0.
            """,
        options: [.json]
    ) { arguments throws(UsageError) in
        guard arguments.operands.count <= 1 else { throw UsageError("give one config file, or none") }
        let file = arguments.operands.first
        let asJSON = arguments.switches.contains("json")
        return MainLoop.runToEnd { doctor(file, asJSON: asJSON) } ?? .failure
    }

    @HostActor
    private static func doctor(_ file: String?, asJSON: Bool) -> ExitCode {
        let progress = Progress()
        do throws(PluginFailure) {
            let report = try Doctor.examine(
                config: file, environment: ProcessEnvironment.variables(), log: .standardError(upTo: .error)
            ) { progress.show("looking at \($0) ...") }
            progress.end()
            if asJSON {
                Output.json(report.value)
            } else {
                Output.line(report.render(colour: Terminal.hasColours(Terminal.output)))
            }
            return report.isHealthy ? .success : .failure
        } catch {
            progress.end()
            Output.error("mediahost doctor: \(error)")
            return .failure
        }
    }
}
