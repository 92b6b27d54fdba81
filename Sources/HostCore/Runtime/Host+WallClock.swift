internal import GStreamerKit

extension Host {
    /// Everybody is told; what waits for a time of the wall clock is looked at again.
    func wallClockWasSet(by step: ClockTime) {
        clockEpoch += 1
        let size = Quantity.durationText(Int64(clamping: step.nanoseconds.magnitude))
        log.notice("the wall clock was set \(step < .zero ? "back" : "forward") by \(size)")
        events.post(
            "clock.set", source: "host",
            [
                "step_ns": .int(step.nanoseconds), "realtime_ns": .int(clock.realtime().nanoseconds),
                "epoch": .int(clockEpoch),
            ])
        timers.wallClockWasSet()
    }
}
