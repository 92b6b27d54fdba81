internal import CGLib
internal import CSoup

/// The socket that a `SoupServerMessage` came by. libsoup does not know it, because it was given a stream.
///
/// Ownership: the message keeps a reference of its socket.
/// - Thread: main. Messages are borrowed for each call.
@HostActor
enum MessageSocket {
    private static let key = "mediahost-socket"

    static func attach(_ socket: UnsafeMutablePointer<GSocket>, to message: OpaquePointer) {
        g_object_set_data_full(object(message), key, mh_g_object_ref(socket), { g_object_unref($0) })
    }

    /// Borrowed; lives as long as the message.
    static func of(_ message: OpaquePointer) -> UnsafeMutablePointer<GSocket>? {
        g_object_get_data(object(message), key)?.assumingMemoryBound(to: GSocket.self)
    }

    /// Takes the connection away from libsoup, which lets go of the message. What it has read of it is lost.
    ///
    /// The stream that libsoup gives back is of a kind it does not tell, and closes the socket with itself; so does a GSocket.
    /// A descriptor of our own needs neither.
    /// - Returns: nil where there is no socket, or no descriptor left; nothing was taken then. The caller closes it.
    static func take(from message: OpaquePointer) -> Int32? {
        guard let socket = of(message) else { return nil }
        let descriptor = mh_file_copy(g_socket_get_fd(socket))
        guard descriptor >= 0 else { return nil }
        // The message may go with its connection, and the socket with the message.
        mh_g_object_ref(socket)
        if let stream = soup_server_message_steal_connection(message) { g_object_unref(stream) }
        g_socket_close(socket, nil)
        g_object_unref(socket)
        return descriptor
    }

    private static func object(_ message: OpaquePointer) -> UnsafeMutablePointer<GObject> {
        UnsafeMutableRawPointer(message).assumingMemoryBound(to: GObject.self)
    }
}
