import Foundation
import Glibc

/// A message bus of a test's own, for all that is on the machine's.
final class SystemBus: Sendable {
    let address: String
    private let child: ChildProcess

    static let program = ["/usr/bin/dbus-daemon", "/bin/dbus-daemon"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    init(in place: Workplace) async throws {
        address = "unix:path=\(place.path("system-bus"))"
        let configuration = try place.write(
            """
            <busconfig>
              <type>system</type><listen>\(address)</listen><auth>EXTERNAL</auth>
              <policy context="default">
                <allow user="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
              </policy>
            </busconfig>
            """, to: "system-bus.conf")
        guard let program = Self.program else { throw LineLog.Missing(description: "there is no dbus-daemon") }
        child = try ChildProcess(
            program, ["--config-file=\(configuration)", "--nofork", "--nopidfile", "--print-address=1"],
            environment: Workplace.environment(), directory: place.directory)
        // It says so when it listens.
        try await child.output.next(containing: "unix:")
    }

    deinit { child.send(SIGKILL) }
}

/// systemd-logind on a test's own bus (Fixtures/logind.py): does what a test says, and tells what the host takes and lets go.
final class MockLogind: Sendable {
    private let service: MockService

    static let isThere: Bool = {
        guard SystemBus.program != nil, FileManager.default.isExecutableFile(atPath: MockService.python) else {
            return false
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: MockService.python)
        process.arguments = ["-c", "import dbus, dbusmock, gi"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// - Parameter properties: "PreparingForSleep=true", "LockedSession=1": what it says from the first moment.
    init(on bus: SystemBus, in place: Workplace, _ properties: [String] = []) async throws {
        service = try await MockService("logind", "DBUS_SYSTEM_BUS_ADDRESS", on: bus, in: place, properties)
    }

    /// What the host takes and lets go.
    var log: LineLog { service.log }

    /// Returns when it was done; what the host takes and lets go after that comes later in the log.
    func tell(_ command: String) async throws { try await service.tell(command) }

    func crash() async throws { try await service.crash() }
}
