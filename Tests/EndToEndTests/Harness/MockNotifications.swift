/// A desktop's notification service on a test's own bus (Fixtures/notifications.py).
final class MockNotifications: Sendable {
    private let service: MockService

    init(on bus: SystemBus, in place: Workplace) async throws {
        service = try await MockService("notifications", "DBUS_SESSION_BUS_ADDRESS", on: bus, in: place)
    }

    /// What it shows and closes, each on a line: `shown SUMMARY|BODY|ACTIONS|SOUND|EXPIRE`, `closed SUMMARY`.
    var log: LineLog { service.log }

    /// What a user does: `choose SUMMARY|ACTION`, `dismiss SUMMARY`.
    func tell(_ command: String) async throws { try await service.tell(command) }
}
