import Foundation
import Glibc

/// A desktop's notification service on a test's own bus (Fixtures/notifications.py).
final class MockNotifications: Sendable {
    private let child: ChildProcess
    private let commands: String

    init(on bus: SystemBus, in place: Workplace) async throws {
        commands = place.path("notifications-\(UUID().uuidString)")
        guard mkfifo(commands, 0o600) == 0 else { throw LineLog.Missing(description: "cannot make a fifo") }
        child = try ChildProcess(
            MockLogind.python, ["\(Workplace.fixtures)/notifications.py", commands],
            environment: Workplace.environment(["DBUS_SESSION_BUS_ADDRESS": bus.address]), directory: place.directory)
        do {
            try await child.output.next(containing: "ready")
        } catch {
            throw LineLog.Missing(description: "\(error)\n\(child.errors.text)")
        }
    }

    deinit { child.send(SIGKILL) }

    /// What it shows and closes, each on a line: `shown SUMMARY|BODY|ACTIONS|SOUND|EXPIRE`, `closed SUMMARY`.
    var log: LineLog { child.output }

    /// What a user does: `choose SUMMARY|ACTION`, `dismiss SUMMARY`.
    func tell(_ command: String) async throws {
        let file = open(commands, O_WRONLY)
        guard file >= 0 else { throw LineLog.Missing(description: "cannot open \(commands)") }
        defer { close(file) }
        let line = Array((command + "\n").utf8)
        guard write(file, line, line.count) == line.count else {
            throw LineLog.Missing(description: "the notification service took no command")
        }
        do {
            try await child.output.next(containing: "done \(command)")
        } catch {
            throw LineLog.Missing(description: "\(error)\n\(child.errors.text)")
        }
    }
}
