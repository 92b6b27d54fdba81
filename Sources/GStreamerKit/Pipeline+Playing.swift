internal import CGStreamer

extension Pipeline {
    /// The running time at which it was paused; zero where it has not played since it was built, nil where nobody keeps it.
    /// - Thread: any, while it is paused.
    public var pausedAt: ClockTime? { ClockTime(gst_element_get_start_time(element.pointer)) }

    /// Seeks to the beginning for another round: after a seek that asked for a segment, at whose end comes
    /// `BusMessage.segmentDone` instead of EOS, this one follows it on the same running time: a loop without a gap.
    /// - Thread: worker. False where the source cannot seek.
    public func seekToStart() -> Bool {
        // As fast as the round before.
        send(seek: playback.rate, GST_SEEK_FLAG_SEGMENT, to: .zero)
    }

    /// The pads where a finished segment has stopped: those of demuxers, or of sources where there are none. When
    /// `BusMessage.segmentDone` has come nothing else pushes there, and EOS may be.
    /// - Thread: any.
    public var segmentEnds: [Pad] {
        let leaves = elements.filter { !$0.isBin }
        let demuxers = leaves.filter { $0.kind.split(separator: "/").contains("Demuxer") }
        return (demuxers.isEmpty ? leaves.filter(\.isSource) : demuxers).flatMap { element in
            element.pads.filter { !$0.isSink && $0.isLinked }
        }
    }

    /// The latency of the whole pipeline, instead of what its elements ask for.
    /// - Thread: any, before it plays.
    public func setLatency(_ latency: ClockTime) {
        gst_pipeline_set_latency(mh_gst_pipeline(element.pointer), ClockTime.raw(latency))
    }

    /// How long data takes through it: what its live elements need at least. Nil where nobody says.
    /// - Thread: worker: an element that is stuck in its device may not answer.
    public var latency: ClockTime? {
        guard let query = gst_query_new_latency() else { return nil }
        defer { gst_mini_object_unref(UnsafeMutableRawPointer(query).assumingMemoryBound(to: GstMiniObject.self)) }
        guard gst_element_query(element.pointer, query) != 0 else { return nil }
        var least: GstClockTime = 0
        gst_query_parse_latency(query, nil, &least, nil)
        return ClockTime(least)
    }

    /// Elements, no bins, whose own change of state is still under way: what a preroll waits for.
    /// - Thread: any.
    public var unsettledElements: [String] { elements.filter { !$0.isBin && $0.isChanging }.map(\.name) }
}
