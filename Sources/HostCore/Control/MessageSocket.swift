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

    private static func object(_ message: OpaquePointer) -> UnsafeMutablePointer<GObject> {
        UnsafeMutableRawPointer(message).assumingMemoryBound(to: GObject.self)
    }
}
