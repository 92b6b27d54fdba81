import Foundation
import Locking

/// A client of `GET /v1/events` without any of the host's own code.
///
/// Threads: one that reads, from `read` on.
final class EventClient: Sendable {
    struct Message: Sendable {
        var id: String
        var name: String
        var data: String

        /// Behind the dot of its id.
        var number: Int { Int(id.split(separator: ".").last ?? "") ?? -1 }
    }

    private struct State {
        var messages: [Message] = []
        /// Those that `next` has looked at.
        var looked = 0
        var isOver = false
    }

    private let descriptor: Int32
    private let state = Locked(State())

    /// Returns when the host has taken it on; later events are heard.
    /// - Parameter isSlow: reads nothing until it is told to.
    init(_ socketPath: String, query: String = "", header: String = "", isSlow: Bool = false) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(socketPath.utf8)) }
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        let request = "GET /v1/events\(query) HTTP/1.1\r\nHost: h\r\n\(header)\r\n"
        guard connected == 0, write(descriptor, request, request.utf8.count) == request.utf8.count else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        // Byte by byte, to leave the first event where it is.
        var head = ""
        var byte: UInt8 = 0
        while !head.hasSuffix("retry: 1000\n\n") {
            guard recv(descriptor, &byte, 1, 0) == 1 else {
                throw LineLog.Missing(description: "the host ended the stream after:\n\(head)")
            }
            head.unicodeScalars.append(Unicode.Scalar(byte))
        }
        guard head.hasPrefix("HTTP/1.1 200 OK\r\n") else { throw LineLog.Missing(description: head) }
        if !isSlow { read() }
    }

    /// The descriptor is the reader's, where there is one.
    func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    var seen: [Message] { state.withLock { $0.messages } }

    /// Reads from now on.
    func read() {
        Thread.detachNewThread { [self] in
            var rest: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = recv(descriptor, &piece, piece.count, 0)
                guard count > 0 else { break }
                rest += piece[..<count]
                var text = String(decoding: rest, as: UTF8.self)
                guard let end = text.range(of: "\n\n", options: .backwards) else { continue }
                let whole = String(text[..<end.lowerBound])
                text.removeSubrange(..<end.upperBound)
                rest = Array(text.utf8)
                let messages = whole.components(separatedBy: "\n\n").compactMap(Self.message)
                state.withLock { $0.messages += messages }
            }
            Glibc.close(descriptor)
            state.withLock { $0.isOver = true }
        }
    }

    /// The next one that is so.
    func next(_ isSo: @escaping @Sendable (Message) -> Bool) async throws -> Message {
        try await Deadline.poll("an event; there were \(seen.map(\.name).suffix(20))", every: .milliseconds(10)) {
            state.withLock { state in
                while state.looked < state.messages.count {
                    state.looked += 1
                    let message = state.messages[state.looked - 1]
                    if isSo(message) { return message }
                }
                return nil
            }
        }
    }

    /// The host has closed.
    func end() async throws {
        try await Deadline.poll("the end of the stream") { state.withLock { $0.isOver ? true : nil } }
    }

    private static func message(_ text: String) -> Message? {
        var fields: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { fields[String(parts[0])] = String(parts[1].dropFirst()) }
        }
        guard let id = fields["id"], let name = fields["event"], let data = fields["data"] else { return nil }
        return Message(id: id, name: name, data: data)
    }
}
