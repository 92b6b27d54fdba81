import Foundation

/// A message bus of one test: a dbus-daemon that nobody else knows of and that starts no services.
final class PrivateBus: Sendable {
    static let program = ["/usr/bin/dbus-daemon", "/bin/dbus-daemon", "/usr/local/bin/dbus-daemon"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let address: String
    private let directory: TemporaryDirectory
    private let configuration: String
    private let process: Process

    /// - Parameter directory: where its socket is; another one in the same directory has the same address.
    init(in directory: TemporaryDirectory) async throws {
        self.directory = directory
        guard let program = Self.program else { throw Failure(description: "there is no dbus-daemon") }
        address = "unix:path=\(directory.path("bus"))"
        configuration = directory.path("bus.conf")
        let text = """
            <busconfig>
              <type>session</type><listen>\(address)</listen><auth>EXTERNAL</auth>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
              </policy>
            </busconfig>
            """
        try text.write(toFile: configuration, atomically: true, encoding: .utf8)
        let output = Pipe()
        process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["--config-file=\(configuration)", "--nofork", "--nopidfile", "--print-address=1"]
        process.standardOutput = output
        try process.run()
        // It says so when it listens.
        guard !output.fileHandleForReading.availableData.isEmpty else {
            throw Failure(description: "\(program) ended with status \(process.terminationStatus)")
        }
    }

    deinit { stop() }

    /// All connections end.
    func stop() {
        guard process.isRunning else { return }
        // It has the signal mask of the thread that started it, which may keep SIGTERM away.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: directory.path("bus"))
    }
}
