import Foundation
import Synchronization

/// An HTTP server for one file at a bounded speed, as a thin line has it: with ranges, and with stops.
///
/// Each connection has a thread and a line of its own. It ends with the process.
final class ThrottledServer: Sendable {
    /// The line stops for so long, once in so many seconds.
    struct Stops: Sendable {
        var each: Double
        var length: Double
    }

    /// Seconds.
    private static let longestCredit = 0.25

    let port: UInt16
    private let file: Data
    private let bytesPerSecond: Double
    private let stops: Stops
    private let sent = Atomic<Int>(0)

    init(_ file: Data, bytesPerSecond: Double, stops: Stops) throws {
        (self.file, self.bytesPerSecond, self.stops) = (file, bytesPerSecond, stops)
        let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // What is in the kernel would go on while the line stops.
        var room: Int32 = 32 << 10
        setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 16) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard socket >= 0, isBound else { throw BenchError("cannot listen on 127.0.0.1: \(lastError())") }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(socket, nil, nil)
                guard client >= 0 else { continue }
                Thread.detachNewThread { [self] in
                    serve(client)
                    close(client)
                }
            }
        }
    }

    /// Bytes of the file that went out, to all.
    var bytesSent: Int { sent.load(ordering: .relaxed) }

    /// One request after the other, as long as the client stays.
    private func serve(_ client: Int32) {
        while let request = read(from: client) {
            let range = request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("range: bytes=") }
            let begin = range.flatMap { Int($0.drop { $0 != "=" }.dropFirst().prefix { $0.isNumber }) } ?? 0
            guard begin < file.count else {
                let refusal = "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */\(file.count)\r\n"
                guard write(Data((refusal + "Content-Length: 0\r\n\r\n").utf8), to: client) else { return }
                continue
            }
            var head = "HTTP/1.1 \(range == nil ? "200 OK" : "206 Partial Content")\r\nContent-Type: video/mp4\r\n"
            head += "Accept-Ranges: bytes\r\nContent-Length: \(file.count - begin)\r\n"
            if range != nil { head += "Content-Range: bytes \(begin)-\(file.count - 1)/\(file.count)\r\n" }
            guard write(Data((head + "\r\n").utf8), to: client) else { return }
            if request.hasPrefix("HEAD ") { continue }
            guard send(from: begin, to: client) else { return }
        }
    }

    private func send(from begin: Int, to client: Int32) -> Bool {
        // A fortieth of a second at a time.
        let portion = max(Int(bytesPerSecond / 40), 1)
        let start = monotonic()
        var (offset, due, stopped) = (begin, 0.0, 0)
        while offset < file.count {
            let piece = file[offset..<min(offset + portion, file.count)]
            guard write(piece, to: client) else { return false }
            sent.add(piece.count, ordering: .relaxed)
            offset += piece.count
            due += Double(piece.count) / bytesPerSecond
            if Int(Double(offset - begin) / bytesPerSecond / stops.each) != stopped {
                stopped += 1
                due += stops.length
            }
            let now = Double(monotonic() - start) / 1e9
            // Who reads slowly does not get more afterwards, but a thread that is woken late does.
            if now < due { usleep(UInt32((due - now) * 1e6)) } else { due = max(due, now - Self.longestCredit) }
        }
        return true
    }

    private func read(from client: Int32) -> String? {
        var request: [UInt8] = []
        while !request.suffix(4).elementsEqual("\r\n\r\n".utf8), request.count < 65_536 {
            var byte: UInt8 = 0
            guard recv(client, &byte, 1, 0) == 1 else { return nil }
            request.append(byte)
        }
        return String(decoding: request, as: UTF8.self)
    }

    private func write(_ data: Data, to client: Int32) -> Bool {
        var rest = data
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
