import Foundation

/// A socket without any HTTP in between. Blocks.
final class RawClient: Sendable {
    let descriptor: Int32

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard Self.call(connect, descriptor, path) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Over TCP, to 127.0.0.1.
    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let file = descriptor
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    /// Returns false where the other side takes no more.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Bytes that have come and were not read.
    var waiting: Int {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    func closeSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// All there is until the other side closes, or `text` came.
    func read(until text: String? = nil) -> String {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { break }
            all += piece[..<count]
            if let text, String(decoding: all, as: UTF8.self).contains(text) { break }
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// So many bytes that have come already.
    func read(_ count: Int) -> String {
        var all = [UInt8](repeating: 0, count: count)
        let got = recv(descriptor, &all, count, Int32(MSG_WAITALL))
        return String(decoding: all.prefix(max(got, 0)), as: UTF8.self)
    }

    /// One whole answer with a length, and not a byte more. Empty where the connection ended before it did.
    func readAnswer() -> String {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(descriptor, &byte, 1, 0) == 1 else { return "" }
            head.append(byte)
        }
        let text = String(decoding: head, as: UTF8.self)
        let field = text.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
        var rest = field.flatMap { Int($0.dropFirst(16)) } ?? 0
        var body: [UInt8] = []
        while rest > 0 {
            var piece = [UInt8](repeating: 0, count: rest)
            let count = recv(descriptor, &piece, rest, 0)
            guard count > 0 else { return "" }
            body += piece[..<count]
            rest -= count
        }
        return text + String(decoding: body, as: UTF8.self)
    }

    /// Binds and closes: what a killed host leaves behind.
    static func leaveStaleSocket(_ path: String) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        _ = call(bind, descriptor, path)
        close(descriptor)
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32, _ path: String
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
