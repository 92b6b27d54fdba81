internal import HostCore

extension Command {
    /// `mediahost version`
    static let version = Command(
        name: "version", summary: "The versions of mediahost, of GStreamer and of the plugin ABI", options: [.json]
    ) { arguments throws(UsageError) in
        try arguments.requireNoOperands()
        let versions = Versions.current
        if arguments.switches.contains("json") { Output.json(versions.value) } else { Output.line(versions.text) }
        return .success
    }
}
