import Foundation

/// One request to the control socket, without a process of its own: its time is a part of what is measured.
enum ControlCall {
    /// Returns when it was answered with 200.
    static func post(_ path: String, _ body: String, _ socketPath: String) throws {
        _ = try ask(
            "POST \(path)", "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n", body, socketPath
        )
    }

    /// - Returns: the body of an answer with 200.
    static func get(_ path: String, _ socketPath: String) throws -> ArraySlice<UInt8> {
        try ask("GET \(path)", "", "", socketPath)
    }

    /// How many buffers all elements have dropped because they were late.
    static func dropped(_ socketPath: String) throws -> Double {
        let text = String(decoding: try get("/metrics", socketPath), as: UTF8.self)
        return text.split(separator: "\n").filter { $0.hasPrefix("mediahost_pipeline_dropped_total{") }
            .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
    }

    private static func ask(_ line: String, _ fields: String, _ body: String, _ socketPath: String) throws
        -> ArraySlice<UInt8>
    {
        let file = try connected(to: socketPath)
        defer { close(file) }
        let request = "\(line) HTTP/1.1\r\nHost: localhost\r\n\(fields)Connection: close\r\n\r\n\(body)"
        guard write(file, request, request.utf8.count) == request.utf8.count else {
            throw BenchError("cannot ask the host: \(lastError())")
        }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &chunk, chunk.count)
            if count <= 0 { break }
            answer += chunk[..<count]
        }
        guard answer.starts(with: Array("HTTP/1.1 200".utf8)), let head = answer.firstRange(of: Array("\r\n\r\n".utf8))
        else { throw BenchError("\(line): \(String(decoding: answer.prefix(2000), as: UTF8.self))") }
        return answer[head.upperBound...]
    }

    /// A client of a stream that was taken on. - Returns: its socket, which the caller closes.
    static func listen(_ path: String, _ socketPath: String) throws -> Int32 {
        let file = try connected(to: socketPath)
        let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
        guard write(file, request, request.utf8.count) == request.utf8.count else {
            throw BenchError("cannot ask the host: \(lastError())")
        }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: answer, as: UTF8.self).hasSuffix("retry: 1000\n\n") {
            let count = read(file, &chunk, chunk.count)
            guard count > 0 else { throw BenchError("\(path): \(String(decoding: answer, as: UTF8.self))") }
            answer += chunk[..<count]
        }
        return file
    }

    static func connected(to socketPath: String) throws -> Int32 {
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard file >= 0 else { throw BenchError("cannot make a socket: \(lastError())") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) {
            $0.copyBytes(from: Array(socketPath.utf8).prefix($0.count - 1))
        }
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else {
            let reason = lastError()
            close(file)
            throw BenchError("no host answers at \(socketPath): \(reason)")
        }
        return file
    }
}
