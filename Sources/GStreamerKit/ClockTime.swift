internal import CGStreamer

/// A time or a span on GStreamer's line, in nanoseconds, signed so that differences and early decode times fit.
///
/// GStreamer's "none" is `nil` at the edge and never a number.
@frozen
public struct ClockTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    public var nanoseconds: Int64

    @inlinable
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Nil for GST_CLOCK_TIME_NONE and for anything beyond 292 years.
    init?(_ raw: GstClockTime) {
        guard let value = Int64(exactly: raw) else { return nil }
        nanoseconds = value
    }

    /// GST_CLOCK_TIME_NONE for nil; negative times have no unsigned form and become 0.
    static func raw(_ time: ClockTime?) -> GstClockTime {
        guard let time else { return GstClockTime.max }
        return GstClockTime(max(0, time.nanoseconds))
    }

    @inlinable
    public static var zero: ClockTime { ClockTime(nanoseconds: 0) }
    public static func milliseconds(_ count: Int64) -> ClockTime { ClockTime(nanoseconds: count * 1_000_000) }
    public static func seconds(_ count: Int64) -> ClockTime { ClockTime(nanoseconds: count * 1_000_000_000) }

    @inlinable
    public static func < (left: ClockTime, right: ClockTime) -> Bool { left.nanoseconds < right.nanoseconds }
    @inlinable
    public static func + (left: ClockTime, right: ClockTime) -> ClockTime {
        ClockTime(nanoseconds: left.nanoseconds &+ right.nanoseconds)
    }
    @inlinable
    public static func - (left: ClockTime, right: ClockTime) -> ClockTime {
        ClockTime(nanoseconds: left.nanoseconds &- right.nanoseconds)
    }

    /// "12.345678901 s".
    public var description: String {
        let magnitude = nanoseconds.magnitude
        let fraction = String(magnitude % 1_000_000_000)
        let padding = String(repeating: "0", count: 9 - fraction.utf8.count)
        return "\(nanoseconds < 0 ? "-" : "")\(magnitude / 1_000_000_000).\(padding)\(fraction) s"
    }
}
