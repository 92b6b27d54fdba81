internal import GStreamerKit

/// Looks at everything that mediahost needs of a machine, and says what to do where it is not well.
///
/// Each probe is a value that is gathered here and judged by itself, so that tests judge machines they do not have.
public enum Doctor {
    /// - Parameters:
    ///   - file: a config to look at, too.
    ///   - progress: told what is looked at next.
    /// - Throws: where GStreamer does not start, after which nothing can be said.
    @HostActor
    public static func examine(
        config file: String?, environment: [String: String], log: Log,
        progress: (_ topic: String) -> Void = { _ in }
    ) throws(PluginFailure) -> FindingReport {
        var findings: [Finding] = []
        var socket: String?
        progress("GStreamer's registry")
        do {
            try GStreamer.start()
        } catch {
            throw PluginFailure(error.description)
        }
        findings += RegistryProbe.gather(environment).judge()
        progress("plugins")
        let gate = PluginGate(environment: environment, log: log)
        findings += PluginProbe.gather(gate).judge()
        if let file {
            progress(file)
            let result = try ConfigurationCheck.full(file, environment: environment, gate: gate, log: log)
            socket = result.configuration?.control.socket
            findings += ConfigurationProbe(result, file: file).judge()
        }
        progress("devices")
        findings += DeviceProbe.gather().judge()
        progress("the system")
        findings += DirectoryProbe.gather(environment, socket: socket).judge()
        findings += LimitsProbe.gather().judge()
        findings += ClockProbe.gather().judge()
        findings += ServiceProbe.gather(environment).judge()
        return FindingReport(findings)
    }
}
