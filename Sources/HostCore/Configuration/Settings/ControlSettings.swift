/// How the host is reached from outside.
public struct ControlSettings: Sendable, Equatable {
    /// The path of the unix socket; nil leaves it to the host.
    public var socket: String?

    public init(socket: String? = nil) { self.socket = socket }
}
