/// systemd's manager on a test's own bus (Fixtures/systemd.py).
final class MockSystemd: Sendable {
    private let service: MockService

    init(on bus: SystemBus, in place: Workplace) async throws {
        service = try await MockService("systemd", "DBUS_SYSTEM_BUS_ADDRESS", on: bus, in: place, isTold: false)
    }

    /// `started UNIT TRIGGER clock once`: `clock` where it looks when the clock is set, too, `stopped UNIT`.
    var log: LineLog { service.log }
}
