internal import CGStreamer

extension Pipeline {
    /// Seeks to the beginning and asks for a segment: at its end comes `BusMessage.segmentDone` instead of EOS, and the next
    /// seek, without `flush`, follows it on the same running time: a loop without a gap.
    /// - Parameter flush: for the first one, while prerolled: what has gone downstream is thrown away.
    /// - Thread: worker. False where the source cannot seek.
    public func seekToStart(flush: Bool) -> Bool {
        var flags = GST_SEEK_FLAG_SEGMENT.rawValue
        if flush { flags |= GST_SEEK_FLAG_FLUSH.rawValue }
        // As fast as the round before.
        return gst_element_seek(
            element.pointer, playback.rate, GST_FORMAT_TIME, GstSeekFlags(rawValue: flags), GST_SEEK_TYPE_SET, 0,
            GST_SEEK_TYPE_NONE, -1) != 0
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

    /// Elements, no bins, whose own change of state is still under way: what a preroll waits for.
    /// - Thread: any.
    public var unsettledElements: [String] { elements.filter { !$0.isBin && $0.isChanging }.map(\.name) }
}
