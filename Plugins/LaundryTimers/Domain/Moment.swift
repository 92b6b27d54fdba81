import PluginKit

/// What the clocks show at one instant, in nanoseconds.
struct Moment: Sendable, Equatable {
    /// Goes on in suspend; only a new boot sets it back.
    var boottime: Int64
    /// Since 1970; somebody may set it.
    var realtime: Int64

    /// What has to be added to the one to get the other.
    var offset: Int64 { realtime.subtractingClamped(boottime) }
}

extension Moment {
    /// One instant of both clocks: nothing came between, no sleep of the machine and no other thread for long. The boottime is never
    /// ahead.
    /// - Thread: any.
    static func now(_ host: Host) -> Moment? {
        var last: Moment?
        for _ in 0..<8 {
            guard let before = host.boottime?.nanoseconds, let realtime = host.realtime?.nanoseconds,
                let after = host.boottime?.nanoseconds
            else { return nil }
            last = Moment(boottime: before, realtime: realtime)
            if after - before < 1_000_000 { return last }
        }
        return last
    }
}

/// Times come from users, stores and clocks that were set: what is out of bounds becomes the bound, and traps nowhere.
extension Int64 {
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
