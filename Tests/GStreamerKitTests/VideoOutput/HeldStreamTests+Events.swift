import CGStreamer
import Testing

@testable import GStreamerKit

/// What a stream has said of itself in several events of one type.
extension HeldStreamTests {
    /// Tags of the stream and of all of it are two; one that was said again is one.
    @Test func whoBeginsAnewIsToldOfEachOfSeveral() throws {
        begin("video/x-h264")
        for (scope, title) in [
            (GST_TAG_SCOPE_STREAM, "a"), (GST_TAG_SCOPE_GLOBAL, "b"), (GST_TAG_SCOPE_STREAM, "c"),
        ] {
            let tags = gst_tag_list_new_from_string("taglist,title=\(title)")
            gst_tag_list_set_scope(tags, scope)
            gst_pad_push_event(source.pointer, gst_event_new_tag(tags))
        }
        segment(base: 0)
        for name in ["one", "other", "one"] {
            gst_pad_push_event(
                source.pointer,
                gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM_STICKY, gst_structure_new_empty(name)))
        }
        picture(0)
        let held = try held()
        held.hold(round: 1)
        let before = given.all.elements.count
        beginAnew(held)
        held.cancel()
        #expect(
            given.all.elements.dropFirst(before) == [
                "stream-start", "caps", "segment 0", "tag", "tag", "custom-downstream-sticky",
                "custom-downstream-sticky",
            ])
        var events = StickyEvents()
        for number in 0..<StickyEvents.most + 10 {
            let event = gst_event_new_custom(
                GST_EVENT_CUSTOM_DOWNSTREAM_STICKY, gst_structure_new_empty("name\(number)"))
            events.put(HeldObject(adopting: UnsafeMutableRawPointer(try #require(event))))
        }
        #expect(events.inOrder.count == StickyEvents.most)
        events.removeAll()
    }
}
