import Foundation

/// A sound server of a test's own: PipeWire, its session manager and its PulseAudio side, without any hardware.
final class PipeWire: Sendable {
    /// What a host needs to reach it.
    let environment: [String: String]
    private let bus: SystemBus
    private let children: [ChildProcess]
    private let place: Workplace

    static let isThere = ["pipewire", "wireplumber", "pipewire-pulse", "pactl"].allSatisfy { program($0) != nil }

    init(in place: Workplace) async throws {
        self.place = place
        bus = try await SystemBus(in: place)
        try FileManager.default.createDirectory(
            atPath: place.path("run"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        environment = [
            "XDG_RUNTIME_DIR": place.path("run"), "PULSE_RUNTIME_PATH": place.path("run/pulse"),
            "DBUS_SESSION_BUS_ADDRESS": bus.address, "GST_REGISTRY": place.path("registry.bin"),
        ]
        var children: [ChildProcess] = []
        for (name, socket) in [("pipewire", "pipewire-0"), ("wireplumber", nil), ("pipewire-pulse", "pulse/native")] {
            guard let program = Self.program(name) else { throw LineLog.Missing(description: "there is no \(name)") }
            children.append(
                try ChildProcess(
                    program, [], environment: Workplace.environment(environment), directory: place.directory))
            guard let socket else { continue }
            try await Deadline.poll("the socket of \(name)") { place.exists("run/\(socket)") ? true : nil }
        }
        self.children = children
    }

    deinit { for child in children { child.send(SIGKILL) } }

    /// Plugs an output in. - Returns: what `remove` takes.
    func addSink(_ name: String, description: String) async throws -> String {
        try await control(
            "load-module", "module-null-sink", "sink_name=\(name)", "sink_properties=device.description=\(description)")
    }

    func remove(_ module: String) async throws { _ = try await control("unload-module", module) }

    /// Who plays: `Corked: no` for each stream, `Corked: yes` for one that is open and stands still.
    func streams() async throws -> [String] {
        try await control("list", "sink-inputs").split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { $0.hasPrefix("Corked: ") }
    }

    private func control(_ arguments: String...) async throws -> String {
        let result = try await Tool.require(
            Self.program("pactl") ?? "pactl", arguments, environment: environment, in: place.directory)
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func program(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
