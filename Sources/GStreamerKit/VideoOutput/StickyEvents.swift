internal import CGStreamer

/// What a stream has said of itself once and for all: its name, its format, its segment. One of each kind, the newest; of tags and the
/// like, which come in several, one of each name, as a pad keeps them.
struct StickyEvents {
    /// Of those that come in several no more are kept: names that are made up as it goes on must not fill memory.
    static let most = 64

    private var events: [HeldObject] = []

    var isEmpty: Bool { events.isEmpty }

    /// In the order in which they must be sent: that of GStreamer's numbers of their kinds.
    var inOrder: [HeldObject] {
        events.sorted { mh_gst_event_type($0.event).rawValue < mh_gst_event_type($1.event).rawValue }
    }

    /// Those of a pad.
    static func of(_ pad: UnsafeMutablePointer<GstPad>) -> StickyEvents {
        var found = StickyEvents()
        withUnsafeMutablePointer(to: &found) { context in
            gst_pad_sticky_events_foreach(
                pad,
                { _, event, context in
                    guard let event = event?.pointee, let context else { return 1 }
                    context.assumingMemoryBound(to: StickyEvents.self).pointee.put(HeldObject(retaining: event))
                    return 1
                }, context)
        }
        return found
    }

    /// Takes over an event that is sticky; lets go of any other.
    mutating func put(_ event: HeldObject) {
        guard mh_gst_event_is_sticky(event.event) != 0 else { return event.release() }
        if mh_gst_event_is_sticky_multi(event.event) != 0 {
            makeRoom(for: event)
        } else {
            remove(mh_gst_event_type(event.event))
        }
        // Another stream has not ended.
        if mh_gst_event_type(event.event) == GST_EVENT_STREAM_START { remove(GST_EVENT_EOS) }
        events.append(event)
    }

    /// Whether it is the very event that is known.
    func contains(_ event: UnsafeMutablePointer<GstEvent>) -> Bool { events.contains { $0.event == event } }

    func contains(_ kind: GstEventType) -> Bool { events.contains { mh_gst_event_type($0.event) == kind } }

    /// What the times of what comes next mean.
    var segment: Segment? {
        for event in events { if case .segment(let segment) = StreamEvent(event.event) { return segment } }
        return nil
    }

    /// Gives that one away, where it is known.
    mutating func take(_ kind: GstEventType) -> HeldObject? {
        guard let index = events.firstIndex(where: { mh_gst_event_type($0.event) == kind }) else { return nil }
        return events.remove(at: index)
    }

    /// As the end of a flush does.
    mutating func forgetPosition() {
        remove(GST_EVENT_SEGMENT)
        remove(GST_EVENT_EOS)
    }

    mutating func removeAll() {
        for event in events { event.release() }
        events = []
    }

    private mutating func remove(_ type: GstEventType) { remove { mh_gst_event_type($0.event) == type } }

    private mutating func makeRoom(for event: HeldObject) {
        let type = mh_gst_event_type(event.event)
        remove { mh_gst_event_type($0.event) == type && mh_gst_event_has_name_of($0.event, event.event) != 0 }
        let several = events.indices.filter { mh_gst_event_is_sticky_multi(events[$0].event) != 0 }
        if several.count >= Self.most, let oldest = several.first { events.remove(at: oldest).release() }
    }

    private mutating func remove(_ isMeant: (HeldObject) -> Bool) {
        events.removeAll { event in
            guard isMeant(event) else { return false }
            event.release()
            return true
        }
    }
}
