internal import HostCore

extension Command {
    /// `mediahost schema`
    static let schema = Command(
        name: "schema", summary: "The JSON Schema of the config file, for editors"
    ) { arguments throws(UsageError) in
        try arguments.requireNoOperands()
        Output.write(ConfigurationSchema.jsonText(), to: Terminal.output)
        return .success
    }
}
