import Foundation

/// A host under a service manager that holds files for it and starts it again when it was killed (Fixtures/fdstore.py).
final class ServiceManager: Sendable {
    private let child: ChildProcess
    private let socket: String
    private let place: Workplace

    /// - Parameter config: a path.
    init(_ config: String, in place: Workplace, environment: [String: String] = [:]) throws {
        self.place = place
        socket = place.path("control.sock")
        let words = [
            "\(Workplace.fixtures)/fdstore.py", place.path("notify"), Workplace.mediahost, "run", config, "--socket",
            socket,
        ]
        child = try ChildProcess(
            MockService.python, words, environment: Workplace.environment(environment), directory: place.directory)
    }

    /// It ends the host.
    deinit { child.send(SIGTERM) }

    /// `started PID with N`, `stored NAME`, `removed NAME`, `killed`.
    var manager: LineLog { child.output }
    /// The host's.
    var log: LineLog { child.errors }

    /// The process id of the host that starts next.
    func started() async throws -> (pid: pid_t, files: Int) {
        let words = try await manager.next(containing: "started ").split(separator: " ")
        guard words.count == 4, let pid = pid_t(words[1]), let files = Int(words[3]) else {
            throw LineLog.Missing(description: "not understood: \(words)")
        }
        return (pid, files)
    }

    func answer(_ arguments: [String]) async throws -> JSON {
        let result = try await Tool.require(
            Workplace.mediahost, arguments + ["--socket", socket, "--json"], in: place.directory)
        return try JSON(result.output)
    }
}
