internal import CGLib
internal import Glibc

/// Who may use the unix socket, of those that the mode of its file lets in.
struct LocalAccess: Sendable, Equatable {
    /// Who is at the other end, as the kernel says.
    struct Peer: Sendable, Equatable {
        var user: UInt32
        var process: Int32
    }

    private let own: UInt32
    /// nil: all.
    private let users: Set<UInt32>?

    /// - Throws: `invalid` for a user that does not exist.
    init(_ access: SocketAccess, own: UInt32 = geteuid()) throws(ControlError) {
        self.own = own
        guard let names = access.users else {
            users = nil
            return
        }
        var known: Set<UInt32> = []
        for name in names { known.insert(try AccountName.user(name)) }
        users = known
    }

    /// - Parameter peer: nil where the kernel does not say who it is.
    func allows(_ peer: Peer?) -> Bool {
        guard let users else { return true }
        guard let peer else { return false }
        return peer.user == 0 || peer.user == own || users.contains(peer.user)
    }

    /// Who is at the other end; nil where the kernel does not say.
    @HostActor
    static func peer(of socket: UnsafeMutablePointer<GSocket>?) -> Peer? {
        guard let socket, let credentials = g_socket_get_credentials(socket, nil) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(credentials)) }
        let user = g_credentials_get_unix_user(credentials, nil)
        // -1: not known.
        guard user != uid_t.max else { return nil }
        return Peer(user: user, process: g_credentials_get_unix_pid(credentials, nil))
    }
}
