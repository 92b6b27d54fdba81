internal import CGStreamer

/// One reference to a buffer or an event, given on by hand: whoever holds it lets it go or gives it to GStreamer.
// Reference counts of mini objects are atomic; a held one is only read.
struct HeldObject: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<GstMiniObject>

    /// Takes over a reference.
    init(adopting pointer: UnsafeMutableRawPointer) {
        self.pointer = pointer.assumingMemoryBound(to: GstMiniObject.self)
    }

    init(retaining pointer: UnsafeMutableRawPointer) {
        self.init(adopting: pointer)
        gst_mini_object_ref(self.pointer)
    }

    /// The end of the stream that a pad remembers, as a reference of its own.
    init?(endAt pad: Pad) {
        guard let event = gst_pad_get_sticky_event(pad.pointer, GST_EVENT_EOS, 0) else { return nil }
        self.init(adopting: event)
    }

    func release() { gst_mini_object_unref(pointer) }

    var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(pointer) }
    var isEvent: Bool { mh_gst_is_event(pointer) != 0 }
    /// Whether it is the end of a stream.
    var isEnd: Bool { isEvent && mh_gst_event_type(event) == GST_EVENT_EOS }
    /// Whether who mixes it with other streams gets on with it.
    var isStep: Bool { !isEvent || isEnd || isGap }
    /// Whether it says that nothing comes for a while.
    var isGap: Bool { isEvent && mh_gst_event_type(event) == GST_EVENT_GAP }
    /// Whether it is a buffer that no decoder can begin with.
    var isDelta: Bool { !isEvent && mh_gst_buffer_flags(buffer) & BufferView.Flags.delta.rawValue != 0 }
    var event: UnsafeMutablePointer<GstEvent> { raw.assumingMemoryBound(to: GstEvent.self) }
    var buffer: UnsafeMutablePointer<GstBuffer> { raw.assumingMemoryBound(to: GstBuffer.self) }
}
