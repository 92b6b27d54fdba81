import Foundation
import Glibc
import Testing

/// The machine's own wall clock, for tests that were asked to set it.
enum WallClock {
    static let missing: Comment =
        "sets this machine's clock for a moment: run as root (CAP_SYS_TIME) with MEDIAHOST_SET_CLOCK=1"

    /// Setting it to what it shows changes nothing but needs the same right.
    static let maySet = ProcessInfo.processInfo.environment["MEDIAHOST_SET_CLOCK"] == "1" && set(by: 0)

    static func set(by milliseconds: Int) -> Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let nanoseconds = now.tv_nsec + milliseconds * 1_000_000
        let seconds = Int((Double(nanoseconds) / 1e9).rounded(.down))
        now.tv_sec += seconds
        now.tv_nsec = nanoseconds - seconds * 1_000_000_000
        return clock_settime(CLOCK_REALTIME, &now) == 0
    }
}
