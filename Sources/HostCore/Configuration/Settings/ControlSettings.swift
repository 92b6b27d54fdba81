/// How the host is reached from outside.
public struct ControlSettings: Sendable, Equatable {
    /// The path of the unix socket; nil leaves it to the host.
    public var socket: String?
    /// Who may open the socket.
    public var access = SocketAccess()
    /// Where it is reached over the network; nil: nowhere.
    public var network: NetworkSettings?
    /// How many clients may follow events and logs at one time.
    public var streamClients: Int

    /// Each is a descriptor of the process.
    static let mostStreamClients: Int64 = 10_000

    public init(socket: String? = nil, streamClients: Int = 256) {
        self.socket = socket
        self.streamClients = streamClients
    }
}

/// Who may use the unix socket.
public struct SocketAccess: Sendable, Equatable {
    /// The permission bits of its file; the kernel lets in who may write to it.
    public var mode: UInt32 = 0o660
    /// The group of its file, by name or number; nil: the host's own.
    public var group: String?
    /// Of those that the file lets in: only these, root and the host's own user. Names or numbers; nil: all.
    public var users: [String]?

    public init() {}
}

/// Where the control API is reached over TCP, and by whom.
public struct NetworkSettings: Sendable, Equatable {
    /// Numeric.
    public var address = "127.0.0.1"
    public var port: UInt16 = 0
    /// The file of the token that allows everything; nil: nobody may.
    public var tokenFile: String?
    /// The file of the token that allows to look.
    public var readOnlyTokenFile: String?
    /// Names that the host has in the network, beside its addresses.
    public var allowedHosts: [String] = []

    public init() {}
}
