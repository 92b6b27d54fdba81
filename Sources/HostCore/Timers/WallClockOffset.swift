internal import GStreamerKit

/// How far the wall clock is from the one that counts since boot: constant until somebody sets it. Slewing moves both, and so
/// does suspend.
struct WallClockOffset: Sendable, Equatable {
    var offset: ClockTime
    /// The two clocks cannot be read at once: the true offset is at most this far from `offset`.
    var doubt: ClockTime

    init(offset: ClockTime, doubt: ClockTime) {
        self.offset = offset
        self.doubt = doubt
    }

    /// The best of a few readings: one in which nobody came in between.
    init(of clock: some HostClock) {
        var best = Self.read(clock)
        for _ in 0..<8 where best.doubt > .zero {
            let next = Self.read(clock)
            if next.doubt < best.doubt { best = next }
        }
        self = best
    }

    private static func read(_ clock: some HostClock) -> WallClockOffset {
        let before = clock.boottime()
        let realtime = clock.realtime()
        let between = clock.boottime() - before
        return WallClockOffset(
            offset: realtime - before - ClockTime(nanoseconds: between.nanoseconds / 2), doubt: between)
    }

    /// How far the wall clock was set since an earlier reading; nil where it was not, as far as that can be told.
    func step(since earlier: WallClockOffset) -> ClockTime? {
        let step = offset - earlier.offset
        return step.nanoseconds.magnitude > (doubt + earlier.doubt).nanoseconds.magnitude ? step : nil
    }
}
