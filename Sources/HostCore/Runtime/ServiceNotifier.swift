internal import CGLib
internal import Glibc

/// The socket of a service manager that wants to know how its service is: systemd's `$NOTIFY_SOCKET`, which container
/// engines and other supervisors speak, too.
///
/// One datagram per message, no answer; the protocol is sd_notify(3)'s. Written directly: libsystemd would be one more
/// library in every process for thirty lines, and is absent on the boards whose supervisor is another one.
/// - Thread: any.
public final class ServiceNotifier: Sendable {
    /// Why a message did not leave.
    public enum Failure: Error, Equatable {
        /// The manager has not read what it got so far: try again later.
        case full
        case errno(Int32)
    }

    /// A socket the protocol does not have.
    public struct UnusableSocket: Error, Equatable, CustomStringConvertible {
        public var description: String
    }

    private let file: Int32
    private let path: [UInt8]

    /// - Parameter socket: `$NOTIFY_SOCKET`: an absolute path, or `@name` for an abstract one.
    public init(socket: String) throws(UnusableSocket) {
        var bytes = Array(socket.utf8)
        guard bytes.first == UInt8(ascii: "/") || bytes.first == UInt8(ascii: "@"), bytes.count > 1 else {
            throw UnusableSocket(
                description: "NOTIFY_SOCKET is \"\(socket)\", neither an absolute path nor @NAME; nobody is notified")
        }
        guard bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else {
            throw UnusableSocket(
                description: "NOTIFY_SOCKET is \(bytes.count) bytes long, more than a unix socket's name can be; "
                    + "nobody is notified")
        }
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        path = bytes
        file = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else {
            throw UnusableSocket(
                description: "cannot make a socket to notify with: \(String(cString: strerror(Glibc.errno)))")
        }
    }

    deinit { close(file) }

    /// Sends `NAME=value` lines as one message.
    /// - Parameters:
    ///   - attached: a descriptor that goes with it; the caller keeps its own.
    ///   - wait: how long the manager may take to make room, in milliseconds; 0 waits for nothing.
    public func send(_ lines: [String], file attached: Int32? = nil, wait: Int32 = 0) throws(Failure) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        // An abstract name is exactly as long as it says, a path ends with its NUL.
        let length = MemoryLayout<sa_family_t>.size + path.count + (path[0] == 0 ? 0 : 1)
        let message = Array(lines.joined(separator: "\n").utf8)
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                mh_send_with_file(file, message, message.count, $0, socklen_t(length), attached ?? -1, wait)
            }
        }
        guard sent < 0 else { return }
        let error = Glibc.errno
        throw error == EAGAIN || error == ENOBUFS ? .full : .errno(error)
    }
}
