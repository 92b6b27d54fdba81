import Foundation

/// TCP on 127.0.0.1.
enum Loopback {
    static func listen() throws -> (socket: Int32, port: Int) {
        let file = try open()
        var address = Self.address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let done = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, length) == 0 && Foundation.listen(file, 8) == 0 && getsockname(file, $0, &length) == 0
            }
        }
        guard done else { throw failure("listen on 127.0.0.1", file) }
        return (file, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// For a program that wants to be told one.
    static func freePort() throws -> Int {
        let (file, port) = try listen()
        close(file)
        return port
    }

    static func connected(to port: Int) throws -> Int32 {
        let file = try open()
        var address = Self.address(port)
        let done = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard done else { throw failure("connect to port \(port)", file) }
        return file
    }

    /// - Returns: false when the other side is gone.
    static func send(_ bytes: [UInt8], to file: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private static func open() throws -> Int32 {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { throw BenchError("cannot make a socket: \(lastError())") }
        var on: Int32 = 1
        setsockopt(file, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return file
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
        return address
    }

    private static func failure(_ what: String, _ file: Int32) -> BenchError {
        defer { close(file) }
        return BenchError("cannot \(what): \(lastError())")
    }
}
