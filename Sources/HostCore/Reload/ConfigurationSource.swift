/// Where a configuration comes from: enough to read it again.
public struct ConfigurationSource: Sendable, Equatable {
    /// As the user gave it.
    public var path: String
    /// Values for `${NAME}` that the file does not have.
    public var environment: [String: String]
    /// Whether plugins are left out, whatever the file says.
    public var isSafe: Bool

    public init(path: String, environment: [String: String], isSafe: Bool = false) {
        self.path = path
        self.environment = environment
        self.isSafe = isSafe
    }

    /// What of a configuration is to run.
    func allowed(_ configuration: HostConfiguration) -> HostConfiguration {
        guard isSafe else { return configuration }
        var configuration = configuration
        configuration.plugins = []
        return configuration
    }
}
