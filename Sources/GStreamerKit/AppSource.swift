internal import CGStreamer
import Locking

/// Feeds a pipeline from code: an `appsrc` element.
///
/// Each push copies the bytes into a buffer of its own.
public final class AppSource: Sendable {
    private let element: Element

    /// One access unit.
    public struct Unit: Sendable {
        public var pts: ClockTime?
        public var dts: ClockTime?
        public var duration: ClockTime?
        public var isDelta: Bool
        /// Does not follow from the unit before.
        public var isDiscontinuous = false

        public init(pts: ClockTime?, dts: ClockTime?, duration: ClockTime?, isDelta: Bool) {
            self.pts = pts
            self.dts = dts
            self.duration = duration
            self.isDelta = isDelta
        }
    }

    /// Nil where the element is no appsrc.
    public init?(_ element: Element) {
        guard mh_gst_is_app_src(element.pointer) != 0 else { return nil }
        self.element = element
    }

    /// What is fed; in time format, so that timestamps mean something. The source then blocks `push` at `maxBytes`.
    public func configure(caps: Caps, maxBytes: UInt64) {
        gst_app_src_set_caps(source, caps.pointer)
        element.set("format", to: "time")
        element.set("block", to: "true")
        element.set("is-live", to: "false")
        gst_app_src_set_max_bytes(source, guint64(maxBytes))
    }

    /// For a source that gives data at the pace of the clock, before the pipeline is PAUSED: `push` never waits. Caps come
    /// with `setCaps`. It has no bound: whoever feeds it looks at `queuedBytes`.
    /// - Parameter buffers: how long data can wait in it, for elements behind it that need to look ahead.
    public func configureLive(buffers: ClockTime = .seconds(1)) {
        element.set("format", to: "time")
        element.set("is-live", to: "true")
        element.set("block", to: "false")
        element.set("handle-segment-change", to: "true")
        // The end of a segment is where another one may begin.
        gst_app_src_set_latency(source, 0, ClockTime.raw(buffers))
        gst_base_src_set_automatic_eos(mh_gst_base_src(element.pointer), 0)
        gst_app_src_set_max_bytes(source, 0)
    }

    /// What the pipeline's clock shows now, as timestamps of its buffers do; nil while it does not run. In PAUSED the clock
    /// goes on, and running time does not.
    /// - Thread: any.
    public var runningTime: ClockTime? {
        guard mh_gst_state(element.pointer) == GST_STATE_PLAYING else { return nil }
        return ClockTime(gst_element_get_current_running_time(element.pointer))
    }

    /// Calls `handler` for what the elements behind it say back; see `Pad.addUpstreamProbe`.
    public func listen(_ handler: @escaping @Sendable (UpstreamEvent) -> Void) -> PadProbe? {
        element.pad(named: "src")?.addUpstreamProbe { event in
            handler(event)
            return .pass
        }
    }

    /// Bytes pushed and not yet taken. A `push` that blocks wakes for room or for a flush, not for an error further
    /// down: whoever must not hang looks here and at the bus before each push.
    public var queuedBytes: UInt64 { UInt64(gst_app_src_get_current_level_bytes(source)) }

    /// New caps for what follows.
    public func setCaps(_ caps: Caps) { gst_app_src_set_caps(source, caps.pointer) }

    /// Feeds one unit; waits while the queue is full. False when the pipeline takes no more: it failed, or it is stopping.
    /// - Thread: worker.
    public func push(_ bytes: UnsafeRawBufferPointer, _ unit: Unit) -> Bool {
        guard let buffer = make(bytes, unit) else { return false }
        // The source's queue orders the push before anybody downstream sees the buffer.
        Handover.give(UnsafeRawPointer(buffer))
        return gst_app_src_push_buffer(source, buffer) == GST_FLOW_OK
    }

    /// How the timestamps that follow are shown.
    public struct Opening: Sendable {
        /// What is over before this timestamp is decoded and not shown.
        public var start: ClockTime
        /// What begins at this timestamp or later, too; nil where there is no such end. It does not end the stream.
        public var stop: ClockTime?
        /// The running time at which `start` is shown.
        public var base: ClockTime
        /// More than 0.
        public var rate: Double

        public init(start: ClockTime, stop: ClockTime? = nil, base: ClockTime, rate: Double) {
            (self.start, self.stop, self.base, self.rate) = (start, stop, base, rate)
        }
    }

    /// Feeds one unit of a live source with which a new segment begins.
    /// - Thread: worker.
    public func push(_ bytes: UnsafeRawBufferPointer, _ unit: Unit, opening: Opening, caps: Caps) -> Bool {
        guard let buffer = make(bytes, unit) else { return false }
        defer { gst_buffer_unref(buffer) }
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_TIME)
        segment.rate = opening.rate
        segment.start = ClockTime.raw(opening.start)
        segment.stop = ClockTime.raw(opening.stop)
        segment.time = segment.start
        segment.position = segment.start
        segment.base = ClockTime.raw(opening.base)
        guard let sample = gst_sample_new(buffer, caps.pointer, &segment, nil) else { return false }
        defer { gst_sample_unref(sample) }
        Handover.give(UnsafeRawPointer(buffer))
        return gst_app_src_push_sample(source, sample) == GST_FLOW_OK
    }

    /// Behind what was pushed: lets decoders give out what they hold back for the sake of the order. What is pushed then has to
    /// be decodable by itself.
    /// - Thread: worker.
    public func drain(at time: ClockTime) {
        gst_element_send_event(element.pointer, gst_video_event_new_still_frame(1))
        // Parsers keep the one until a buffer or this comes.
        gst_element_send_event(element.pointer, gst_event_new_gap(ClockTime.raw(time), 0))
    }

    private func make(_ bytes: UnsafeRawBufferPointer, _ unit: Unit) -> UnsafeMutablePointer<GstBuffer>? {
        guard let buffer = gst_buffer_new_allocate(nil, gsize(bytes.count), nil) else { return nil }
        // GLib's slices order this behind all that was done with an earlier buffer in the same place.
        Handover.take(UnsafeRawPointer(buffer))
        if let start = bytes.baseAddress { gst_buffer_fill(buffer, 0, start, gsize(bytes.count)) }
        buffer.pointee.pts = ClockTime.raw(unit.pts)
        buffer.pointee.dts = ClockTime.raw(unit.dts)
        buffer.pointee.duration = ClockTime.raw(unit.duration)
        if unit.isDelta { mh_gst_buffer_mark_delta(buffer) }
        if unit.isDiscontinuous { mh_gst_buffer_mark_discont(buffer) }
        return buffer
    }

    /// No more follows; EOS reaches the sinks after what was pushed.
    public func endOfStream() { gst_app_src_end_of_stream(source) }

    private var source: UnsafeMutablePointer<GstAppSrc> {
        UnsafeMutableRawPointer(element.pointer).assumingMemoryBound(to: GstAppSrc.self)
    }
}
