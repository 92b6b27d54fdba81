import Foundation
import Glibc

/// A service manager's end of `$NOTIFY_SOCKET`: the lines it got, in order.
final class NotifySocket: Sendable {
    /// For the environment of the service.
    let address: String
    let messages = LineLog("the notify socket")
    private let file: Int32

    /// - Parameter address: a path, or `@name` for an abstract socket.
    init(_ address: String) throws {
        self.address = address
        file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(address.utf8)
        let isAbstract = bytes[0] == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1))
        let status = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(file, $0, length) }
        }
        guard file >= 0, status == 0 else {
            throw LineLog.Missing(description: "cannot bind \(address): \(String(cString: strerror(errno)))")
        }
        Thread.detachNewThread { [file, messages] in
            var buffer = [UInt8](repeating: 0, count: 8192)
            while true {
                let count = recv(file, &buffer, buffer.count, 0)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                for line in String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n") {
                    messages.add(String(line))
                }
            }
            messages.end()
            close(file)
        }
    }

    deinit { shutdown(file, Int32(SHUT_RDWR)) }
}
