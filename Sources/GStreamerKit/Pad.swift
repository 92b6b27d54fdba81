internal import CGStreamer
import Locking

/// One owned reference to a pad.
public final class Pad: Sendable {
    // Never written after init; GObject reference counts are atomic and the calls below take the pad's own locks.
    nonisolated(unsafe) let pointer: UnsafeMutablePointer<GstPad>

    init(adopting pointer: UnsafeMutablePointer<GstPad>) { self.pointer = pointer }

    deinit { gst_object_unref(pointer) }

    public var name: String { takeString(gst_object_get_name(object)) ?? "" }

    /// Whether it takes data in.
    public var isSink: Bool { gst_pad_get_direction(pointer) == GST_PAD_SINK }

    public var isLinked: Bool { gst_pad_is_linked(pointer) != 0 }

    /// Whether its element is past READY.
    public var isActive: Bool { gst_pad_is_active(pointer) != 0 }

    /// Whether a flush is under way, or it is at rest.
    var isFlushing: Bool { mh_gst_pad_is_flushing(pointer) != 0 }

    /// The pad it is linked to.
    var peer: Pad? { gst_pad_get_peer(pointer).map { Pad(adopting: $0) } }

    /// What passes now, or nil before negotiation.
    public var currentCaps: Caps? { gst_pad_get_current_caps(pointer).map { Caps(adopting: $0) } }

    /// Whether raw media may pass: by what its element can give and the next one takes, before anything flows.
    public var mayCarryRaw: Bool {
        guard let caps = gst_pad_get_allowed_caps(pointer) else { return true }
        defer { gst_mini_object_unref(UnsafeMutableRawPointer(caps).assumingMemoryBound(to: GstMiniObject.self)) }
        return (0..<gst_caps_get_size(caps)).contains { index in
            gst_structure_get_name(gst_caps_get_structure(caps, index)).map { String(cString: $0).hasSuffix("/x-raw") }
                ?? true
        }
    }

    /// The segment of what passes now, or nil before the first.
    public var currentSegment: Segment? {
        guard let event = gst_pad_get_sticky_event(pointer, GST_EVENT_SEGMENT, 0) else { return nil }
        defer { gst_mini_object_unref(UnsafeMutableRawPointer(event).assumingMemoryBound(to: GstMiniObject.self)) }
        guard case .segment(let segment) = StreamEvent(event) else { return nil }
        return segment
    }

    /// Calls `handler` for each buffer and, where asked, for each downstream event that passes.
    ///
    /// The handler runs on streaming threads: it must not wait, allocate per buffer, change states or log.
    /// `onRemoved` is called once, on any thread, when no call is running and none will follow.
    /// - Returns: the token that takes the probe off, or nil where the pad takes none.
    public func addProbe(
        events: Bool = false,
        onRemoved: (@Sendable () -> Void)? = nil,
        _ handler: @escaping @Sendable (consuming ProbeData) -> ProbeVerdict
    ) -> PadProbe? {
        var mask = mh_gst_probe_data().rawValue
        if events { mask |= GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue }
        return addProbe(mask, onRemoved, handler)
    }

    /// Calls `handler` for each event that comes from the elements behind this source pad, or out of the sink of this input.
    ///
    /// The handler runs on streaming threads, see `addProbe(events:onRemoved:_:)`.
    /// - Returns: the token that takes the probe off, or nil where the pad takes none.
    public func addUpstreamProbe(_ handler: @escaping @Sendable (UpstreamEvent) -> ProbeVerdict) -> PadProbe? {
        addProbe(GST_PAD_PROBE_TYPE_EVENT_UPSTREAM.rawValue, nil) { data in
            guard case .upstream(let event) = consume data else { return .pass }
            return handler(event)
        }
    }

    /// Calls `handler` for each event that comes down to this pad, in line with the buffers; buffers are none of its business.
    ///
    /// The handler runs on streaming threads, see `addProbe(events:onRemoved:_:)`.
    /// - Returns: the token that takes the probe off, or nil where the pad takes none.
    public func addEventProbe(_ handler: @escaping @Sendable (StreamEvent) -> Void) -> PadProbe? {
        addProbe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue, nil) { data in
            if case .event(let event) = consume data { handler(event) }
            return .pass
        }
    }

    /// Calls `tell` once when nothing is on its way out of this pad: at once where it is so now.
    /// - Parameter tell: runs on any thread; must not wait.
    func whenIdle(_ tell: @escaping @Sendable () -> Void) {
        _ = addProbe(GST_PAD_PROBE_TYPE_IDLE.rawValue, nil) { _ in
            tell()
            return .passAndRemove
        }
    }

    private func addProbe(
        _ mask: GstPadProbeType.RawValue, _ onRemoved: (@Sendable () -> Void)?,
        _ handler: @escaping @Sendable (consuming ProbeData) -> ProbeVerdict
    ) -> PadProbe? {
        let owner = ProbeBox(handler: handler, onRemoved: onRemoved)
        let box = Unmanaged.passRetained(owner)
        Handover.give(box.toOpaque())
        let id = gst_pad_add_probe(
            pointer, GstPadProbeType(rawValue: mask), probeTrampoline, box.toOpaque(), probeDestroyed)
        return id == 0 ? nil : PadProbe(pad: self, id: id, life: owner.life)
    }

    /// Asks the encoder after this source pad for a key frame, in line with the buffers.
    /// - Thread: the streaming thread of this pad (inside a probe), or any while nothing flows.
    public func requestKeyFrameDownstream() {
        let event = gst_video_event_new_downstream_force_key_unit(
            GstClockTime.max, GstClockTime.max, GstClockTime.max, 1, 0)
        gst_pad_push_event(pointer, event)
    }

    /// Asks the encoder before this source pad for a key frame.
    /// - Thread: any.
    public func requestKeyFrameUpstream() {
        gst_pad_send_event(pointer, gst_video_event_new_upstream_force_key_unit(GstClockTime.max, 1, 0))
    }

    /// Sends EOS downstream; may wait as long as a buffer would.
    /// - Thread: any while nothing else pushes here.
    public func pushEndOfStream() { gst_pad_push_event(pointer, gst_event_new_eos()) }

    /// Has the element of this input take a gap in place of a buffer; waits as long as a sink would for that.
    /// - Thread: the streaming thread of this pad (inside a probe).
    func takeGap(at pts: ClockTime?, for duration: ClockTime?) {
        // What has no time is not waited for, and neither is its gap: it lies at the beginning.
        let begin = ClockTime.raw(pts ?? .zero)
        gst_pad_send_event(pointer, gst_event_new_gap(begin, ClockTime.raw(duration)))
    }

    /// Moves the running time of all that passes from now on. With a negative offset timestamps before the segment's start
    /// mean negative running times, the only way to say them: timestamps themselves are unsigned.
    /// - Thread: any while nothing flows.
    public func setOffset(_ offset: ClockTime) { gst_pad_set_offset(pointer, gint64(offset.nanoseconds)) }

    private var object: UnsafeMutablePointer<GstObject> {
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstObject.self)
    }
}
