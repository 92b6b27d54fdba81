/// How far the wall clock can be believed. Boards without a battery wake in 1970, or where they were switched off.
enum ClockTrust: Sendable, Equatable, Comparable {
    /// It is before what the store has seen already, or before this program was written.
    case implausible
    /// It may be right, or behind by the time the board was off.
    case plausible
    /// A time service has set it, and to a time that can be.
    case synchronised

    /// As it is stored.
    var code: Int64 {
        switch self {
        case .implausible: 0
        case .plausible: 1
        case .synchronised: 2
        }
    }

    /// What nobody wrote is worth nothing.
    init(code: Int64) { self = code == 2 ? .synchronised : code == 1 ? .plausible : .implausible }

    /// 2025-01-01, in nanoseconds: no right clock shows less.
    static let earliest: Int64 = 1_735_689_600_000_000_000

    /// - Parameter seen: the wall clock when the boot before this one was last heard of; nil where there was none.
    static func judge(realtime: Int64, isSynchronised: Bool, seen: Int64?) -> ClockTrust {
        // Also where a service says that it has set it: one without a server takes the board's own clock for the right time.
        if realtime < earliest { return .implausible }
        if isSynchronised { return .synchronised }
        return realtime >= seen ?? .min ? .plausible : .implausible
    }
}
