internal import CGStreamer

/// How a stream's timestamps relate to running time, copied from a SEGMENT event; immutable.
///
/// An object rather than a value: a segment is 130 bytes, and the events that carry it are handed on as the probes' data is,
/// for each buffer. (As an indirect enum case the payload arrived as zeroes in a debug build, Swift 6.3.1.)
public final class Segment: Sendable {
    // A plain C value without owned pointers, never written after init.
    private nonisolated(unsafe) let raw: GstSegment
    /// At normal speed running time is the timestamp plus this; nil where GStreamer must be asked. The call costs as much
    /// as a whole bare pad probe, and each buffer needs it.
    private let shift: Int64?

    init(_ raw: GstSegment) {
        self.raw = raw
        shift = Self.shift(of: raw)
    }

    /// Running time of a timestamp, negative before the segment's start, or nil where the segment has no answer
    /// (another format, or a position outside of what is ever played).
    ///
    /// Raw timestamps are no media time: x264enc adds 1000 hours to its own (FACTS).
    /// - Thread: any; allocates nothing.
    public func runningTime(of timestamp: ClockTime?) -> ClockTime? {
        guard let timestamp, timestamp.nanoseconds >= 0 else { return nil }
        if let shift {
            let (time, overflows) = timestamp.nanoseconds.addingReportingOverflow(shift)
            if !overflows { return ClockTime(nanoseconds: time) }
        }
        return askGStreamer(timestamp)
    }

    private func askGStreamer(_ timestamp: ClockTime) -> ClockTime? {
        guard raw.format == GST_FORMAT_TIME else { return nil }
        var result: guint64 = 0
        let sign = withUnsafePointer(to: raw) {
            gst_segment_to_running_time_full($0, GST_FORMAT_TIME, guint64(timestamp.nanoseconds), &result)
        }
        guard sign != 0, let time = ClockTime(result) else { return nil }
        return sign > 0 ? time : ClockTime(nanoseconds: -time.nanoseconds)
    }

    private static func shift(of raw: GstSegment) -> Int64? {
        guard raw.format == GST_FORMAT_TIME, raw.rate == 1, let base = Int64(exactly: raw.base),
            let start = Int64(exactly: raw.start), let offset = Int64(exactly: raw.offset)
        else { return nil }
        let (begin, overflows) = start.addingReportingOverflow(offset)
        return overflows ? nil : base - begin
    }
}
