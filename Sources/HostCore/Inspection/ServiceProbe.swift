internal import Glibc

/// How this process was started: by systemd, with which abilities, or from a shell.
public struct ServiceProbe: Sendable, Equatable {
    /// Whether the machine was booted with systemd.
    public var hasSystemd: Bool
    public var environment: [String: String]

    static let topic = "service"
    /// The watchdog is fed at half its time; below this a busy board misses it.
    static let shortestWatchdogMicroseconds: Int64 = 5_000_000

    public init(hasSystemd: Bool, environment: [String: String]) {
        self.hasSystemd = hasSystemd
        self.environment = environment
    }

    static func gather(_ environment: [String: String]) -> ServiceProbe {
        ServiceProbe(hasSystemd: access("/run/systemd/system", F_OK) == 0, environment: environment)
    }

    public func judge() -> [Finding] {
        guard environment["INVOCATION_ID"] != nil,
            environment["NOTIFY_SOCKET"] != nil || environment["JOURNAL_STREAM"] != nil
        else {
            return [
                Finding(
                    Self.topic, .ok,
                    hasSystemd ? "started from a shell, not by systemd" : "this machine was not booted with systemd")
            ]
        }
        var found: [Finding] = []
        if environment["NOTIFY_SOCKET"] == nil {
            found.append(
                Finding(
                    Self.topic, .warning,
                    "started by systemd without NOTIFY_SOCKET: it does not learn when pipelines play",
                    fix: "`Type=notify` in the unit"))
        } else {
            found.append(Finding(Self.topic, .ok, "started by systemd, which is told when the pipelines play"))
        }
        if let text = environment["WATCHDOG_USEC"] {
            guard let microseconds = Int64(text), microseconds >= Self.shortestWatchdogMicroseconds else {
                return found + [
                    Finding(
                        Self.topic, .warning, "the watchdog's time is too short: WATCHDOG_USEC is \(text)",
                        fix: "`WatchdogSec=10` in the unit")
                ]
            }
            found.append(Finding(Self.topic, .ok, "watchdog after \(microseconds / 1_000_000) s"))
        }
        if environment["STATE_DIRECTORY"] == nil {
            found.append(
                Finding(
                    Self.topic, .warning, "the unit names no state directory",
                    fix: "`StateDirectory=mediahost` in the unit"))
        }
        return found
    }
}
