import Foundation

/// Requests to a host, without any of its own code in between.
enum HTTPExchange {
    /// Sends `request`, whole, and returns all that comes until the host closes. Blocks a thread of its own.
    static func send(_ request: String, to socketPath: String) async throws -> String {
        try await exchange(request, AF_UNIX, address(of: socketPath))
    }

    private static func address(of socketPath: String) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(socketPath.utf8)) }
        return address
    }

    /// One after the other on one connection, which is far quicker than one for each; returns the answers.
    static func send(inTurn requests: [String], to socketPath: String) async throws -> [String] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let descriptor = try connected(AF_UNIX, Self.address(of: socketPath))
                        defer { close(descriptor) }
                        return try requests.map { request in
                            try write(request, to: descriptor)
                            return read(from: descriptor, untilWhole: true)
                        }
                    })
            }
        }
    }

    /// The same by TCP, to 127.0.0.1; its bytes may be anything.
    static func send(_ request: String, port: UInt16) async throws -> String {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return try await exchange(request, AF_INET, address)
    }

    private static func exchange<Address: Sendable>(
        _ request: String, _ family: Int32, _ address: Address
    ) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try block(request, family, address) }) }
        }
    }

    private static func block<Address>(_ request: String, _ family: Int32, _ address: Address) throws -> String {
        let descriptor = try connected(family, address)
        defer { close(descriptor) }
        try write(request, to: descriptor)
        // A host's connection ends with its answer then; others take it for the end of the client.
        if family == AF_UNIX { shutdown(descriptor, Int32(SHUT_WR)) }
        return read(from: descriptor, untilWhole: family != AF_UNIX)
    }

    private static func connected<Address>(_ family: Int32, _ address: Address) throws -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = address
        let failure = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        if failure != 0 {
            defer { close(descriptor) }
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        return descriptor
    }

    private static func write(_ request: String, to descriptor: Int32) throws {
        guard request.withCString({ Glibc.write(descriptor, $0, strlen($0)) }) == request.utf8.count else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// All that comes until the other side closes, or until the answer is there.
    private static func read(from descriptor: Int32, untilWhole: Bool) -> String {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { break }
            all += piece[..<count]
            if untilWhole, isWhole(all) { break }
        }
        return String(decoding: all, as: UTF8.self)
    }

    private static func isWhole(_ answer: [UInt8]) -> Bool {
        let text = String(decoding: answer, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return false }
        let fields = text[..<end.lowerBound].lowercased().components(separatedBy: "\r\n")
        let length = fields.first { $0.hasPrefix("content-length:") }.flatMap {
            Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces))
        }
        return text[end.upperBound...].utf8.count >= length ?? .max
    }
}
