internal import GStreamerKit

/// What `mediahost init` has to know of this machine.
public enum DeviceSurvey {
    /// The starter config for what is plugged in.
    /// - Parameter file: how it will be named.
    /// - Thread: worker or a short-lived process; a sound server is asked.
    public static func starter(
        for file: String, environment: [String: String]
    ) throws(PluginFailure) -> StarterConfiguration {
        do {
            try GStreamer.start()
        } catch {
            throw PluginFailure(error.description)
        }
        return StarterConfiguration(
            devices: DeviceMonitor.devices(), file: file,
            hasReplay: PluginSearch(environment: environment).modules().contains("ReplayBuffer"),
            has: ElementFactory.exists)
    }
}
