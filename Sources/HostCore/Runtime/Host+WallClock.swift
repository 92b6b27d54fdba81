internal import GStreamerKit

extension Host {
    /// Everybody is told; what waits for a time of the wall clock is looked at again.
    func wallClockWasSet(by step: ClockTime) {
        clockEpoch += 1
        // For people: what passed between setting and looking is nobody's step.
        let (nanoseconds, grain) = (Int64(clamping: step.nanoseconds.magnitude), Int64(1_000_000))
        let size = Quantity.durationText(
            nanoseconds < 10 * grain
                ? nanoseconds : (nanoseconds / grain + (nanoseconds % grain >= grain / 2 ? 1 : 0)) * grain)
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
