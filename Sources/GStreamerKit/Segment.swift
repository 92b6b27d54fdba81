internal import CGStreamer

/// How a stream's timestamps relate to running time; a value copied from a SEGMENT event.
public struct Segment: Sendable {
    // A plain C value without owned pointers; it is copied like a number.
    private nonisolated(unsafe) var raw: GstSegment

    init(_ raw: GstSegment) { self.raw = raw }

    /// Running time of a timestamp, negative before the segment's start, or nil where the segment has no answer
    /// (another format, or a position outside of what is ever played).
    ///
    /// Raw timestamps are no media time: x264enc adds 1000 hours to its own (FACTS).
    /// - Thread: any; allocates nothing.
    public func runningTime(of timestamp: ClockTime?) -> ClockTime? {
        guard let timestamp, timestamp.nanoseconds >= 0, raw.format == GST_FORMAT_TIME else { return nil }
        var result: guint64 = 0
        let sign = withUnsafePointer(to: raw) {
            gst_segment_to_running_time_full($0, GST_FORMAT_TIME, guint64(timestamp.nanoseconds), &result)
        }
        guard sign != 0, let time = ClockTime(result) else { return nil }
        return sign > 0 ? time : ClockTime(nanoseconds: -time.nanoseconds)
    }
}
