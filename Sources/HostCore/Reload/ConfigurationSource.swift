/// Where a configuration comes from: enough to read it again.
public struct ConfigurationSource: Sendable, Equatable {
    /// As the user gave it.
    public var path: String
    /// Values for `${NAME}` that the file does not have.
    public var environment: [String: String]

    public init(path: String, environment: [String: String]) {
        self.path = path
        self.environment = environment
    }
}
