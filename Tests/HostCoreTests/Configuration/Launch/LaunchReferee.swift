import Foundation

/// Asks GStreamer, in a process of its own, whether it builds a launch text: `gst_parse` leaks, and sometimes crashes, on texts
/// that it refuses.
final class LaunchReferee {
    enum Verdict: Equatable {
        case built
        case refused(String)
        case crashed
    }

    struct Failure: Error {
        var text: String
    }

    private var socket: Int32 = -1
    private var child: pid_t = 0

    deinit { end() }

    func verdict(on launch: String) throws -> Verdict {
        if socket < 0 { try start() }
        guard send(Array(launch.utf8) + [0]), let answer = receive() else {
            end()
            return .crashed
        }
        return answer.hasPrefix("b") ? .built : .refused(String(answer.dropFirst()))
    }

    private func start() throws {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Failure(text: "no socket: \(String(cString: strerror(errno)))")
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        let test = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(fileURLWithPath: test).deletingLastPathComponent().appendingPathComponent("LaunchReferee")
            .path
        let words = [strdup(program), nil]
        defer { free(words[0]) }
        let code = posix_spawn(&child, program, &actions, nil, words, environ)
        close(ends[1])
        socket = ends[0]
        guard code == 0 else {
            end()
            throw Failure(text: "cannot run \(program): \(String(cString: strerror(code)))")
        }
    }

    private func end() {
        if socket >= 0 { close(socket) }
        socket = -1
        if child > 0 { waitpid(child, nil, 0) }
        child = 0
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Up to the NUL; nil where the child ended before.
    private func receive() -> String? {
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while answer.last != 0 {
            let count = read(socket, &buffer, buffer.count)
            guard count > 0 else { return nil }
            answer += buffer[..<count]
        }
        return String(decoding: answer.dropLast(), as: UTF8.self)
    }
}
