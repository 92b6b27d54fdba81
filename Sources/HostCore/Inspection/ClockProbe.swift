internal import CGLib
internal import Glibc

/// Whether the wall clock can be believed: file names and recordings carry its time.
public struct ClockProbe: Sendable, Equatable {
    /// Seconds since 1970.
    public var now: Int64
    /// Nil where the kernel does not tell, as in some containers.
    public var isSynchronised: Bool?

    static let topic = "clock"
    /// 2024-01-01: a board without a battery begins in 1970, or where it was built.
    static let earliest: Int64 = 1_704_067_200

    public init(now: Int64, isSynchronised: Bool?) {
        self.now = now
        self.isSynchronised = isSynchronised
    }

    /// - Thread: worker.
    static func gather() -> ClockProbe {
        let answer = mh_clock_is_synchronised()
        return ClockProbe(now: Int64(time(nil)), isSynchronised: answer < 0 ? nil : answer == 1)
    }

    public func judge() -> [Finding] {
        let fix = "`sudo timedatectl set-ntp true` (systemd-timesyncd), or install chrony"
        if now < Self.earliest {
            return [Finding(Self.topic, .error, "the clock was never set: it is before 2024", fix: fix)]
        }
        return switch isSynchronised {
        case true?: [Finding(Self.topic, .ok, "synchronised")]
        case false?:
            [
                Finding(
                    Self.topic, .warning, "not synchronised: times in file names and recordings may be wrong", fix: fix)
            ]
        case nil: [Finding(Self.topic, .ok, "the kernel does not tell whether it is synchronised")]
        }
    }
}
