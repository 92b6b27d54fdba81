internal import CGStreamer

/// What a stream has said of itself once and for all: its name, its format, its segment. One of each kind, the newest.
struct StickyEvents {
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
        remove(mh_gst_event_type(event.event))
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

    private mutating func remove(_ type: GstEventType) {
        events.removeAll { event in
            guard mh_gst_event_type(event.event) == type else { return false }
            event.release()
            return true
        }
    }
}
