import CGStreamer
import HostTestKit
import TestElements
import Testing

@testable import GStreamerKit

/// What comes out of a queue, between two pads of the test's own; its time stands still, and pictures have none.
@Suite struct QueueOutletTests {
    private let clockwork: Pipeline
    private let source: Pad
    private let sink: Pad
    private let outlet: QueueOutlet
    private let shown = Recorder<String>()

    init() throws {
        try GStreamer.start()
        clockwork = try Pipeline(launch: "fakesrc ! fakesink", name: "time")
        source = Pad(adopting: try #require(gst_pad_new("src", GST_PAD_SRC)))
        sink = Pad(adopting: try #require(gst_pad_new("sink", GST_PAD_SINK)))
        gst_pad_set_element_private(sink.pointer, Unmanaged.passUnretained(shown).toOpaque())
        gst_pad_set_chain_function_full(
            sink.pointer,
            { pad, _, buffer in
                guard let pad, let buffer, let context = gst_pad_get_element_private(pad) else { return GST_FLOW_ERROR }
                Unmanaged<Recorder<String>>.fromOpaque(context).takeUnretainedValue().record("\(buffer.pointee.offset)")
                gst_mini_object_unref(UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))
                return GST_FLOW_OK
            }, nil, nil)
        #expect(gst_pad_link(source.pointer, sink.pointer) == GST_PAD_LINK_OK)
        gst_pad_set_active(source.pointer, 1)
        gst_pad_set_active(sink.pointer, 1)
        outlet = try #require(QueueOutlet(source, time: RunningTime(of: clockwork)))
        gst_pad_push_event(source.pointer, gst_event_new_stream_start("stream"))
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_TIME)
        gst_pad_push_event(source.pointer, gst_event_new_segment(&segment))
        // The first link asks, too.
        gst_pad_check_reconfigure(source.pointer)
    }

    private func picture(_ number: Int) {
        guard let buffer = gst_buffer_new_allocate(nil, 16, nil) else { return }
        buffer.pointee.offset = guint64(number)
        gst_pad_push(source.pointer, buffer)
    }

    private func hide() {
        outlet.close {}
        outlet.part()
    }

    /// Whether the one before is asked whose memory it uses.
    private func show() -> Bool {
        outlet.join()
        let asks = gst_pad_check_reconfigure(source.pointer) != 0
        outlet.open()
        return asks
    }

    @Test func plainMemoryStaysWhatItIs() {
        picture(0)
        hide()
        picture(1)
        #expect(!show())
        for number in 2..<5 { picture(number) }
        #expect(shown.elements == ["0", "2", "3", "4"])
    }

    /// It may lie in the memory of the display that is gone.
    @Test func whoHasSeenNoPictureMeanwhileAsks() {
        picture(0)
        hide()
        #expect(show())
        for number in 1..<4 { picture(number) }
        #expect(shown.elements == ["0", "1", "2", "3"])
    }

    /// Also those that came out of the queue only when there was a display again; what is made after it was asked for is shown.
    @Test func noPictureOfBeforeInAnotherMemoryIsShown() {
        #expect(mh_display_memory_use(source.pointer) != 0)
        picture(0)
        for round in 0..<2 {
            hide()
            picture(1)
            #expect(show())
            // One may have come out, and one have waited for its place.
            for number in 2..<5 { picture(number) }
            #expect(shown.elements == ["0"] + Array(repeating: "4", count: round + 1))
        }
    }

    /// Nor where it was to be hidden again, and is wanted before it was.
    @Test func noneOfBeforeIsShownAfterAChangeOfMind() {
        #expect(mh_display_memory_use(source.pointer) != 0)
        hide()
        #expect(show())
        outlet.close {}
        outlet.open()
        for number in 1..<4 { picture(number) }
        #expect(shown.elements == ["3"])
    }

    /// What begins anew has heard all of its stream when the queue goes on: the next that comes to it is a picture.
    @Test func whatBeginsAnewKnowsItsStream() {
        hide()
        gst_pad_set_active(sink.pointer, 0)
        gst_pad_set_active(sink.pointer, 1)
        #expect(sink.currentSegment == nil)
        outlet.join()
        #expect(sink.currentSegment != nil)
        outlet.open()
        picture(1)
        #expect(shown.elements == ["1"])
    }

    /// What comes after a flush was made after it.
    @Test func aFlushLeavesNothingOfBefore() {
        #expect(mh_display_memory_use(source.pointer) != 0)
        hide()
        outlet.join()
        outlet.open()
        gst_pad_push_event(source.pointer, gst_event_new_flush_start())
        gst_pad_push_event(source.pointer, gst_event_new_flush_stop(0))
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_TIME)
        gst_pad_push_event(source.pointer, gst_event_new_segment(&segment))
        picture(7)
        #expect(shown.elements == ["7"])
    }
}
