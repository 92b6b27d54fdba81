internal import CGLib
internal import Glibc

/// A listening TCP socket.
///
/// - Thread: main.
@HostActor
enum NetworkSocket {
    /// - Returns: a socket that the caller owns, and its port: one that was free where 0 was asked for.
    /// - Throws: `invalid` for what is no address, `denied` or `failed` with the system's words.
    static func listen(
        _ settings: NetworkSettings
    ) throws(ControlError) -> (socket: UnsafeMutablePointer<GSocket>, port: UInt16) {
        guard let address = g_inet_socket_address_new_from_string(settings.address, guint(settings.port)) else {
            throw ControlError(.invalid, "`\(settings.address)` is no numeric address to listen on")
        }
        defer { g_object_unref(address) }
        var failure: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&failure) }
        let family = g_socket_address_get_family(address)
        guard let socket = g_socket_new(family, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, &failure) else {
            throw error(failure, settings)
        }
        // A port that connections of an earlier host have just left may be used at once.
        guard g_socket_bind(socket, address, 1, &failure) != 0, g_socket_listen(socket, &failure) != 0 else {
            g_object_unref(socket)
            throw error(failure, settings)
        }
        return (socket, g_socket_get_local_address(socket, nil).map(port) ?? settings.port)
    }

    /// A client whose machine has gone says nothing of it: after a minute without a word it is asked, four times in a minute, and then
    /// its connection is over, whatever it waits for.
    static func noticesSilence(_ socket: UnsafeMutablePointer<GSocket>?) {
        g_socket_set_keepalive(socket, 1)
        for (option, value) in [(TCP_KEEPIDLE, 60), (TCP_KEEPINTVL, 15), (TCP_KEEPCNT, 4)] {
            g_socket_set_option(socket, gint(IPPROTO_TCP), option, gint(value), nil)
        }
    }

    /// nil where it has ended already.
    static func ends(of connection: UnsafeMutablePointer<GSocketConnection>) -> NetworkAccess.Ends? {
        guard let remote = g_socket_connection_get_remote_address(connection, nil) else { return nil }
        defer { g_object_unref(remote) }
        guard let local = g_socket_connection_get_local_address(connection, nil) else { return nil }
        defer { g_object_unref(local) }
        guard let peer = inet(remote), let own = inet(local) else { return nil }
        return NetworkAccess.Ends(
            peer: text(peer), local: text(own), isLoopback: text(own).hasPrefix("127.") || text(own) == "::1",
            network: network(peer))
    }

    private static func inet(_ address: UnsafeMutablePointer<GSocketAddress>) -> UnsafeMutablePointer<GInetAddress>? {
        guard mh_is_inet_address(address) != 0 else { return nil }
        return UnsafeMutableRawPointer(address).withMemoryRebound(to: GInetSocketAddress.self, capacity: 1) {
            g_inet_socket_address_get_address($0)
        }
    }

    private static func port(_ address: UnsafeMutablePointer<GSocketAddress>) -> UInt16 {
        defer { g_object_unref(address) }
        return UnsafeMutableRawPointer(address).withMemoryRebound(to: GInetSocketAddress.self, capacity: 1) {
            g_inet_socket_address_get_port($0)
        }
    }

    /// As a person writes it; an IPv4 address that came by an IPv6 socket is one of IPv4.
    private static func text(_ address: UnsafeMutablePointer<GInetAddress>) -> String {
        guard let text = g_inet_address_to_string(address) else { return "" }
        defer { g_free(text) }
        let whole = String(cString: text)
        return whole.hasPrefix("::ffff:") ? String(whole.dropFirst(7)) : whole
    }

    private static func network(_ address: UnsafeMutablePointer<GInetAddress>) -> String {
        let whole = text(address)
        guard whole.contains(":"), let bytes = g_inet_address_to_bytes(address) else { return whole }
        return (0..<8).map { String(bytes[$0], radix: 16) }.joined(separator: ".")
    }

    private static func error(
        _ failure: UnsafeMutablePointer<GError>?, _ settings: NetworkSettings
    ) -> ControlError {
        let text = failure.map { String(cString: $0.pointee.message) } ?? "no reason given"
        return ControlError(
            .failed,
            "cannot listen on \(settings.address) port \(settings.port): \(text): name another with `control: tcp:`")
    }
}
