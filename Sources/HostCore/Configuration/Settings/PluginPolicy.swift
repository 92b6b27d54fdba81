/// What happens when an instance of a plugin fails while the host runs.
public enum PluginPolicy: String, Sendable, Equatable, CaseIterable {
    /// It is ended; everything else goes on.
    case disable
    /// It is ended, and another one is made after a while; as a pipeline comes back.
    case restart
    /// The host ends, with exit code 1.
    case stopHost = "stop-host"
}
