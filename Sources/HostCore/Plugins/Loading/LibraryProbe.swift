internal import CGLib
public import GStreamerKit
internal import Glibc

/// Tries a library in a process of its own, before the host maps it: what crashes, hangs or ends its process does so there.
public struct LibraryProbe: Sendable {
    /// `mediahost`; another process than itself names it.
    public var executable: String
    /// No library needs longer to say what it is; a cold Foundation takes 60 ms.
    public var limit: ClockTime
    /// Of the child.
    public var environment: [String: String]

    public static let defaultLimit = ClockTime.seconds(5)
    /// For boards that are slower, and for tests.
    static let limitVariable = "MEDIAHOST_PROBE_LIMIT"

    public init(
        executable: String = "/proc/self/exe", environment: [String: String], limit: ClockTime = defaultLimit
    ) {
        self.executable = executable
        self.environment = environment
        self.limit = limit
    }

    /// The limit that the environment asks for; what cannot be read is said, and asks for nothing.
    public static func limit(_ environment: [String: String], log: Log) -> ClockTime {
        guard let text = environment[limitVariable] else { return defaultLimit }
        guard let time = try? Quantity.duration(text), time > 0 else {
            log.warning("\(limitVariable) is no duration (5s): \(quoted(text))")
            return defaultLimit
        }
        return ClockTime(nanoseconds: time)
    }

    /// Waits for the child's end, at most for the limit.
    /// - Thread: worker, or a process that has nothing else to do.
    func run(_ path: String) -> LibraryVerdict {
        switch ProbeProcess.start(executable, arguments(path), variables) {
        case .failure(let reason): return .judge(path, .absent(reason.message), ProbeReport(), lastWords: "")
        case .success(let process):
            let ending = process.wait(limit)
            // Of a flood only the beginning can be ours.
            let report = ending == .flooding ? Array(process.report.prefix(1 << 16)) : process.report
            return .judge(path, ending, ProbeReport(report), lastWords: process.lastWords)
        }
    }

    private func arguments(_ path: String) -> [String] {
        ["mediahost"] + ProbeChild.command + ["--parent=\(getpid())", "--", path]
    }

    /// Nothing that would let the child speak for the host, and no backtracer between a crash and its signal.
    private var variables: [String: String] {
        var variables = environment
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PID"] {
            variables[name] = nil
        }
        variables["SWIFT_BACKTRACE"] = "enable=no"
        return variables
    }
}
