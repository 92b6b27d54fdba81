import Foundation

/// One request to a host's socket, without any of the host's own code in between.
enum HTTPExchange {
    /// Sends `request`, whole, and returns all that comes until the host closes. Blocks a thread of its own.
    static func send(_ request: String, to socketPath: String) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try exchange(request, socketPath) }) }
        }
    }

    private static func exchange(_ request: String, _ socketPath: String) throws -> String {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
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
        guard connected == 0, request.withCString({ write(descriptor, $0, strlen($0)) }) == request.utf8.count else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        // The connection ends with its answer then.
        shutdown(descriptor, Int32(SHUT_WR))
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { break }
            all += piece[..<count]
        }
        return String(decoding: all, as: UTF8.self)
    }
}
