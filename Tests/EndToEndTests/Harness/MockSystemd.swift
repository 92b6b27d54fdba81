import Foundation

/// systemd's manager on a test's own bus (Fixtures/systemd.py).
final class MockSystemd: Sendable {
    private let child: ChildProcess

    init(on bus: SystemBus, in place: Workplace) async throws {
        child = try ChildProcess(
            MockLogind.python, ["\(Workplace.fixtures)/systemd.py"],
            environment: Workplace.environment(["DBUS_SYSTEM_BUS_ADDRESS": bus.address]), directory: place.directory)
        do {
            try await child.output.next(containing: "ready")
        } catch {
            throw LineLog.Missing(description: "\(error)\n\(child.errors.text)")
        }
    }

    deinit { child.send(SIGKILL) }

    /// `started UNIT CALENDAR once`, `stopped UNIT`.
    var log: LineLog { child.output }
}
