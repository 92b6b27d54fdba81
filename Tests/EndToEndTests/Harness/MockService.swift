import Foundation
import Glibc

/// A service on a test's own bus that does what a test says and writes down what it is asked (a script of Fixtures/).
final class MockService: Sendable {
    private let child: ChildProcess
    /// The fifo from which it reads; nil: it takes no commands.
    private let commands: String?

    /// Debian's own Python, which has the modules of Debian's packages.
    static let python = "/usr/bin/python3"

    /// - Parameter variable: by which it finds the bus.
    init(
        _ name: String, _ variable: String, on bus: SystemBus, in place: Workplace, isTold: Bool = true,
        _ words: [String] = []
    ) async throws {
        let fifo = place.path("\(name)-\(UUID().uuidString)")
        guard !isTold || mkfifo(fifo, 0o600) == 0 else { throw LineLog.Missing(description: "cannot make a fifo") }
        commands = isTold ? fifo : nil
        child = try ChildProcess(
            Self.python, ["\(Workplace.fixtures)/\(name).py"] + (isTold ? [fifo] : []) + words,
            environment: Workplace.environment([variable: bus.address]), directory: place.directory)
        try await hear("ready")
    }

    deinit { child.send(SIGKILL) }

    var log: LineLog { child.output }

    /// Returns when it was done.
    func tell(_ command: String) async throws {
        let file = commands.map { open($0, O_WRONLY) } ?? -1
        guard file >= 0 else { throw LineLog.Missing(description: "it takes no commands") }
        defer { close(file) }
        let line = Array((command + "\n").utf8)
        guard write(file, line, line.count) == line.count else {
            throw LineLog.Missing(description: "the command was not taken")
        }
        try await hear("done \(command)")
    }

    private func hear(_ line: String) async throws {
        do {
            try await child.output.next(containing: line)
        } catch {
            throw LineLog.Missing(description: "\(error)\n\(child.errors.text)")
        }
    }

    /// As where it crashes: no word to anybody.
    func crash() async throws {
        child.send(SIGKILL)
        _ = try await child.end()
    }
}
