/// How the host is reached from outside.
public struct ControlSettings: Sendable, Equatable {
    /// The path of the unix socket; nil leaves it to the host.
    public var socket: String?
    /// How many clients may follow events and logs at one time.
    public var streamClients: Int

    /// Each is a descriptor of the process.
    static let mostStreamClients: Int64 = 10_000

    public init(socket: String? = nil, streamClients: Int = 256) {
        self.socket = socket
        self.streamClients = streamClients
    }
}
