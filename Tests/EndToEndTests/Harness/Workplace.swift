import Foundation
import Glibc

/// Where things are: the products beside this test bundle, the checkout, and a directory of the test's own.
///
/// The directory is short, because a unix socket's path is, and is gone with the value.
final class Workplace: Sendable {
    let directory: String
    private let isTemporary: Bool

    init() throws {
        isTemporary = true
        var template = Array("/tmp/mh-e2e-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw LineLog.Missing(description: "cannot make a directory in /tmp: \(String(cString: strerror(errno)))")
        }
        directory = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    /// A directory in the build directory that stays; what an earlier run left there is removed.
    init(inProducts name: String) throws {
        isTemporary = false
        directory = "\(Self.products)/\(name)"
        try? FileManager.default.removeItem(atPath: directory)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    deinit { if isTemporary { try? FileManager.default.removeItem(atPath: directory) } }

    func path(_ name: String) -> String { "\(directory)/\(name)" }

    /// Those of a file, without the empty ones; none where there is no file.
    func lines(_ name: String) -> [String] {
        let bytes = FileManager.default.contents(atPath: path(name)) ?? Data()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// The path of a new file.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
        return path(name)
    }

    /// The path of a new program. A child writes it: what other tests start meanwhile inherits no descriptor for
    /// writing then, with which the kernel refuses to run it ("Text file busy").
    @discardableResult
    func writeExecutable(_ script: String, to name: String) async throws -> String {
        try await Tool.require(
            "/bin/sh", ["-c", #"printf %s "$1" > "$2" && chmod 755 "$2""#, "sh", script, path(name)], in: directory)
        return path(name)
    }

    /// The build directory, under `--sanitize` and any `--scratch-path`.
    static let products: String = {
        let test = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: test).deletingLastPathComponent().path
    }()

    static let mediahost = "\(products)/mediahost"

    /// The repository.
    static let checkout = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    static let fixtures = "\(checkout)/Tests/EndToEndTests/Fixtures"

    /// The environment of every child: this one's, without what would change what `mediahost` does.
    static func environment(_ more: [String: String] = [:]) -> [String: String] {
        var variables = ProcessInfo.processInfo.environment
        let ours = [
            "MEDIAHOST_PLUGIN_PATH", "MEDIAHOST_SOCKET", "MEDIAHOST_HOST", "MEDIAHOST_TOKEN_FILE", "MAKEFLAGS",
            "MAKELEVEL", "MFLAGS", "FILE", "SYNC",
            "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "STATE_DIRECTORY", "CACHE_DIRECTORY", "GST_DEBUG",
            "GST_DEBUG_FILE",
        ]
        for name in ours { variables[name] = nil }
        // What hosts leave behind stays out of the home of whoever runs the tests.
        variables["XDG_STATE_HOME"] = "\(products)/EndToEndTests.state"
        // What the machine's own logind says is none of a test's business.
        variables["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/nowhere"
        variables["XDG_SESSION_ID"] = nil
        // A machine that builds and tests is slower than a board that starts.
        variables["MEDIAHOST_PROBE_LIMIT"] = "60s"
        return variables.merging(more) { $1 }
    }
}

extension Workplace {
    /// A TCP port of the loopback that nobody listens on just now.
    static func freePort() throws -> UInt16 {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(file) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, size) == 0 && getsockname(file, $0, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return UInt16(bigEndian: address.sin_port)
    }
}

/// Programs that are run to their end.
enum Tool {
    struct Result: Sendable {
        var ending: ChildProcess.Ending
        var output: String
        var errors: String
    }

    static func run(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:], in directory: String,
        within limit: Duration = .seconds(120)
    ) async throws -> Result {
        let child = try ChildProcess(
            executable, arguments, environment: Workplace.environment(environment), directory: directory)
        let ending = try await child.end(within: limit)
        return Result(ending: ending, output: child.output.text, errors: child.errors.text)
    }

    /// Throws with all that it wrote where it fails.
    @discardableResult
    static func require(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:], in directory: String
    ) async throws -> Result {
        let result = try await run(executable, arguments, environment: environment, in: directory)
        guard result.ending == .exit(0) else {
            throw LineLog.Missing(
                description: "\(executable) \(arguments.joined(separator: " ")): \(result.ending)\n"
                    + result.output + result.errors)
        }
        return result
    }
}
