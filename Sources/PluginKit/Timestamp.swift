/// A point on one line of time, in nanoseconds: media time, or one of the host's clocks.
///
/// Only points of the same line compare. "None" of the ABI is `nil` here.
public struct Timestamp: Hashable, Comparable, Sendable {
    public var nanoseconds: Int64

    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// `nil` for `MH_TIME_NONE`.
    @inlinable init?(abi: Int64) {
        guard abi != Timestamp.none else { return nil }
        nanoseconds = abi
    }

    /// `MH_TIME_NONE`; the macro is an expression Swift does not import.
    @usableFromInline static let none = Int64.min

    @inlinable public static func < (left: Timestamp, right: Timestamp) -> Bool { left.nanoseconds < right.nanoseconds }

    public static func - (left: Timestamp, right: Timestamp) -> Duration {
        .nanoseconds(left.nanoseconds &- right.nanoseconds)
    }

    public static func + (time: Timestamp, step: Duration) -> Timestamp {
        Timestamp(nanoseconds: time.nanoseconds &+ step.wholeNanoseconds)
    }
}
