import Foundation

/// As much of RFC 6455 as obs-websocket needs: a text frame for each message.
final class WebSocket {
    private let file: Int32
    private var received: [UInt8] = []

    init(port: Int) throws {
        file = try Loopback.connected(to: port)
        // The key is for proxies that keep answers, of which there are none.
        let request =
            "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        guard Loopback.send(Array(request.utf8), to: file) else { throw BenchError("the web socket is closed") }
        while true {
            if let end = Data(received).range(of: Data("\r\n\r\n".utf8)) {
                received.removeFirst(end.upperBound)
                return
            }
            guard try receiveMore(by: monotonic() + 5_000_000_000) else { throw BenchError("no web socket answers") }
        }
    }

    deinit { close(file) }

    func send(_ message: [String: Any]) throws {
        let text = Array(try JSONSerialization.data(withJSONObject: message))
        let length = text.count < 126 ? [UInt8(text.count)] : [126, UInt8(text.count >> 8), UInt8(text.count & 0xff)]
        // A mask of zeros: each byte is as it was.
        guard Loopback.send([0x81, length[0] | 0x80] + length.dropFirst() + [0, 0, 0, 0] + text, to: file) else {
            throw BenchError("the web socket is closed")
        }
    }

    /// - Returns: nil where none comes in time.
    func receive(within seconds: Double) throws -> [String: Any]? {
        let deadline = monotonic() + UInt64(seconds * 1e9)
        while true {
            if let message = try takeFrame() { return message }
            guard try receiveMore(by: deadline) else { return nil }
        }
    }

    private func takeFrame() throws -> [String: Any]? {
        guard received.count >= 2 else { return nil }
        let size = received[1] == 126 ? 2 : received[1] == 127 ? 8 : 0
        guard received.count >= 2 + size else { return nil }
        let length = size == 0 ? Int(received[1]) : received[2..<(2 + size)].reduce(0) { $0 << 8 | Int($1) }
        guard received.count >= 2 + size + length else { return nil }
        let payload = Data(received[(2 + size)..<(2 + size + length)])
        received.removeFirst(2 + size + length)
        guard let message = try JSONSerialization.jsonObject(with: payload) as? [String: Any] else {
            throw BenchError("the web socket said: \(String(decoding: payload, as: UTF8.self))")
        }
        return message
    }

    /// - Returns: false when it is too late.
    private func receiveMore(by deadline: UInt64) throws -> Bool {
        let now = monotonic()
        var poll = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        guard now < deadline, Foundation.poll(&poll, 1, Int32((deadline - now) / 1_000_000) + 1) == 1 else {
            return false
        }
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = recv(file, &chunk, chunk.count, 0)
        guard count > 0 else { throw BenchError("the web socket was closed") }
        received += chunk[..<count]
        return true
    }
}
