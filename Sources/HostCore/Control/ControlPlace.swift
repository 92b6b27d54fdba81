internal import CGLib

/// Where a client finds its host: a unix socket, or an address with the file of a token.
///
/// - Thread: any; reads the file, and looks names up when it is used.
public enum ControlPlace: Sendable, Equatable, CustomStringConvertible {
    case socket(String)
    case network(host: String, port: UInt16, tokenFile: String?)

    /// What a command line names wins over the environment, and there a host wins over a socket.
    /// - Parameters:
    ///   - host: `ADDRESS:PORT`.
    ///   - environment: `MEDIAHOST_HOST`, `MEDIAHOST_TOKEN_FILE`, and what `ControlSocket.defaultPath` looks at.
    /// - Throws: `invalid` where there is no port; what `ControlSocket.defaultPath` throws.
    public static func find(
        socket: String?, host: String?, tokenFile: String?,
        environment: (String) -> String? = ControlSocket.variable
    ) throws(ControlError) -> ControlPlace {
        func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        if let host = host ?? (socket == nil ? variable("MEDIAHOST_HOST") : nil) {
            let (name, port) = try parse(host)
            return .network(host: name, port: port, tokenFile: tokenFile ?? variable("MEDIAHOST_TOKEN_FILE"))
        }
        if let socket { return .socket(socket) }
        return .socket(try ControlSocket.defaultPath(environment: environment))
    }

    private static func parse(_ text: String) throws(ControlError) -> (host: String, port: UInt16) {
        let wrong = ControlError(
            .invalid, "\(quoted(text)) is not ADDRESS:PORT, as in 192.168.1.20:8080, porch.local:8080 or [fd00::5]:8080"
        )
        guard !text.utf8.contains(where: { "/@ ".utf8.contains($0) }),
            let address = g_network_address_parse(text, 0, nil)
        else { throw wrong }
        defer { g_object_unref(UnsafeMutableRawPointer(address)) }
        let network = UnsafeMutableRawPointer(address).assumingMemoryBound(to: GNetworkAddress.self)
        guard let name = g_network_address_get_hostname(network).map({ String(cString: $0) }), !name.isEmpty,
            g_network_address_get_port(network) > 0
        else { throw wrong }
        return (name, g_network_address_get_port(network))
    }

    /// For messages.
    public var description: String {
        switch self {
        case .socket(let path): path
        case .network: authority
        }
    }

    /// Whether the host has the files that the client has.
    public var isLocal: Bool {
        if case .socket = self { true } else { false }
    }

    /// What stands between `http://` and the path. The host part means nothing to a unix socket.
    var authority: String {
        switch self {
        case .socket: "mediahost"
        case .network(let host, let port, _): (host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host) + ":\(port)"
        }
    }

    /// A `GSocketConnectable`; the caller owns it.
    func connectable() throws(ControlError) -> OpaquePointer {
        switch self {
        case .socket(let path):
            try ControlSocket.requireUsable(path)
            guard let address = g_unix_socket_address_new(path) else {
                throw ControlError(.failed, "GLib made no address of `\(path)`")
            }
            return OpaquePointer(address)
        case .network(let host, let port, _):
            guard let address = g_network_address_new(host, port) else {
                throw ControlError(.failed, "GLib made no address of `\(self)`")
            }
            return address
        }
    }

    /// - Throws: what `AccessToken.read` throws.
    func token() throws(ControlError) -> AccessToken? {
        guard case .network(_, _, let file?) = self else { return nil }
        return try AccessToken.read(file)
    }

    func unreachable(_ reason: String) -> String {
        switch self {
        case .socket(let path):
            "no mediahost answers at \(path): start one with `mediahost run FILE`, or name its socket with --socket"
        case .network:
            "no mediahost answers at \(self): \(reason) (does its config have `control: tcp:` with this address and port?)"
        }
    }

    /// An error of the host, with what a client can do about it.
    func explained(_ error: ControlError) -> ControlError {
        guard case .network(_, _, let file) = self, error.code == .unauthorized else { return error }
        let hint =
            file.map { "`\($0)` does not hold the host's token" }
            ?? "name the file of the token with --token-file, or in MEDIAHOST_TOKEN_FILE"
        return ControlError(error.code, "\(self): \(error.message) (\(hint))", field: error.field)
    }
}
