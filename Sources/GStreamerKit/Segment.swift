internal import CGStreamer

/// How a stream's timestamps relate to running time; a value copied from a SEGMENT event.
///
/// Small on purpose: it travels in the enum that a probe hands on for each buffer, and a `GstSegment` is 120 bytes.
public struct Segment: Sendable {
    /// At normal speed running time is the timestamp plus this. GStreamer's own call costs as much as a bare pad probe, and
    /// each buffer needs it.
    private let shift: Int64
    /// Where it is not that simple: what GStreamer must be asked with.
    private let other: Whole?

    private final class Whole: Sendable {
        // A plain C value without owned pointers, never written after init.
        nonisolated(unsafe) let raw: GstSegment
        init(_ raw: GstSegment) { self.raw = raw }
    }

    init(_ raw: GstSegment) {
        let shift = Self.shift(of: raw)
        self.shift = shift ?? 0
        other = shift == nil ? Whole(raw) : nil
    }

    /// Running time of a timestamp, negative before the segment's start, or nil where the segment has no answer
    /// (another format, or a position outside of what is ever played).
    ///
    /// Raw timestamps are no media time: x264enc adds 1000 hours to its own (FACTS).
    /// - Thread: any; allocates nothing.
    public func runningTime(of timestamp: ClockTime?) -> ClockTime? {
        guard let timestamp, timestamp.nanoseconds >= 0 else { return nil }
        if let other { return Self.askGStreamer(other.raw, timestamp) }
        let (time, overflows) = timestamp.nanoseconds.addingReportingOverflow(shift)
        return overflows ? nil : ClockTime(nanoseconds: time)
    }

    private static func askGStreamer(_ raw: GstSegment, _ timestamp: ClockTime) -> ClockTime? {
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
