internal import HostCore

extension Command {
    /// `mediahost init`
    static let initialise = Command(
        name: "init", summary: "Write a config to start from, for the cameras and microphones of this machine",
        details: """
            Cameras get the best format up to 1080p30 that they offer; where nothing is plugged in, a test picture and a ticking clock stand in.
            A file that exists is left alone unless `--force` is given.
            """,
        options: [
            OptionSpec(
                long: "output", short: "o", help: "The file to write (default mediahost.yaml); `-` is standard output",
                value: "FILE"),
            OptionSpec(long: "force", short: "f", help: "Replace a file that exists"),
        ]
    ) { arguments throws(UsageError) in
        try arguments.requireNoOperands()
        let file = arguments.values["output"] ?? "mediahost.yaml"
        let progress = Progress()
        progress.show("looking for cameras, microphones and loudspeakers ...")
        let text: String
        do throws(PluginFailure) {
            text = try DeviceSurvey.starter(
                for: file == "-" ? "mediahost.yaml" : file, environment: ProcessEnvironment.variables()
            ).text
            progress.end()
        } catch {
            progress.end()
            Output.error("mediahost init: \(error)")
            return .failure
        }
        guard file != "-" else {
            Output.write(text, to: Terminal.output)
            return .success
        }
        return write(text, to: file, replacing: arguments.switches.contains("force"))
    }

    private static func write(_ text: String, to file: String, replacing: Bool) -> ExitCode {
        do throws(OutputFile.Failure) {
            try OutputFile.write(text, to: file, replacing: replacing)
            Output.line("wrote \(file); next: `mediahost run \(ShellWord.quoted(file))`")
            return .success
        } catch {
            switch error {
            case .exists:
                Output.error(
                    "mediahost init: \(file) exists and is left alone: --force replaces it, --output names another file"
                )
            case .cannot(let text): Output.error("mediahost init: \(text)")
            }
            return .failure
        }
    }
}
