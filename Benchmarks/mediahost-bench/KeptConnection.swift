import Foundation

/// A connection to the control socket that carries one request after the other.
final class KeptConnection {
    private let file: Int32
    private var received = [UInt8](repeating: 0, count: 16 << 10)

    init(_ socketPath: String) throws { file = try ControlCall.connected(to: socketPath) }

    deinit { close(file) }

    /// Returns when the whole answer is there. - Throws: where it is not 200.
    /// - Returns: its body.
    @discardableResult
    func send(_ request: [UInt8]) throws -> ArraySlice<UInt8> {
        try ask(request)
        return try answer()
    }

    /// The first half of `send`.
    func ask(_ request: [UInt8]) throws {
        guard write(file, request, request.count) == request.count else {
            throw BenchError("cannot ask the host: \(lastError())")
        }
    }

    /// The second half of `send`.
    @discardableResult
    func answer() throws -> ArraySlice<UInt8> {
        var count = 0
        var end: Int?
        while end.map({ count < $0 }) ?? true {
            let got = received.withUnsafeMutableBytes { recv(file, $0.baseAddress! + count, $0.count - count, 0) }
            guard got > 0 else { throw BenchError("the host ended the connection") }
            count += got
            if end == nil { end = try Self.end(of: received[..<count]) }
        }
        let head = Self.first(Self.emptyLine, in: received[..<count]) ?? 0
        return received[(head + Self.emptyLine.count)..<count]
    }

    static func post(_ path: String, _ body: String) -> [UInt8] {
        Array(
            "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                .utf8)
    }

    private static let emptyLine = Array("\r\n\r\n".utf8)
    private static let length = Array("Content-Length: ".utf8)

    /// How long the answer is, header and all; nil while its header is not there.
    private static func end(of bytes: ArraySlice<UInt8>) throws -> Int? {
        guard let head = first(emptyLine, in: bytes) else { return nil }
        guard bytes.starts(with: Array("HTTP/1.1 200".utf8)), let field = first(length, in: bytes) else {
            throw BenchError("the host answered \(String(decoding: bytes, as: UTF8.self))")
        }
        let digits = bytes[(field + length.count)...].prefix { $0 != UInt8(ascii: "\r") }
        return head + emptyLine.count + (Int(String(decoding: digits, as: UTF8.self)) ?? 0)
    }

    private static func first(_ pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= pattern.count else { return nil }
        return (bytes.startIndex...(bytes.endIndex - pattern.count)).first { start in
            bytes[start] == pattern[0] && bytes[start..<(start + pattern.count)].elementsEqual(pattern)
        }
    }
}
