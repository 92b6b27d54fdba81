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

    /// Bytes pushed and not yet taken. A `push` that blocks wakes for room or for a flush, not for an error further
    /// down: whoever must not hang looks here and at the bus before each push.
    public var queuedBytes: UInt64 { UInt64(gst_app_src_get_current_level_bytes(source)) }

    /// New caps for what follows.
    public func setCaps(_ caps: Caps) { gst_app_src_set_caps(source, caps.pointer) }

    /// Feeds one unit; waits while the queue is full. False when the pipeline takes no more: it failed, or it is stopping.
    /// - Thread: worker.
    public func push(_ bytes: UnsafeRawBufferPointer, _ unit: Unit) -> Bool {
        guard let buffer = gst_buffer_new_allocate(nil, gsize(bytes.count), nil) else { return false }
        if let start = bytes.baseAddress { gst_buffer_fill(buffer, 0, start, gsize(bytes.count)) }
        buffer.pointee.pts = ClockTime.raw(unit.pts)
        buffer.pointee.dts = ClockTime.raw(unit.dts)
        buffer.pointee.duration = ClockTime.raw(unit.duration)
        if unit.isDelta { mh_gst_buffer_mark_delta(buffer) }
        // The source's queue orders the push before anybody downstream sees the buffer.
        Handover.give(UnsafeRawPointer(buffer))
        return gst_app_src_push_buffer(source, buffer) == GST_FLOW_OK
    }

    /// No more follows; EOS reaches the sinks after what was pushed.
    public func endOfStream() { gst_app_src_end_of_stream(source) }

    private var source: UnsafeMutablePointer<GstAppSrc> {
        UnsafeMutableRawPointer(element.pointer).assumingMemoryBound(to: GstAppSrc.self)
    }
}
