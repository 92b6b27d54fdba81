import CGStreamer
import Testing

@testable import GStreamerKit

@Suite struct CapsAndTimeTests {
    init() throws { try GStreamer.start() }

    @Test func capsCountReferences() throws {
        let caps = try #require(Caps("video/x-h264, framerate=30/1"))
        #expect(mh_gst_mini_refcount(caps.pointer) == 1)
        do {
            let second = Caps(retaining: caps.pointer)
            #expect(mh_gst_mini_refcount(second.pointer) == 2)
        }
        #expect(mh_gst_mini_refcount(caps.pointer) == 1)
        #expect(caps.mediaType == "video/x-h264")
        #expect(caps.frameDuration == ClockTime(nanoseconds: 33_333_333))
        #expect(caps.isVideo && !caps.isRaw)
        #expect(Caps("no caps at all, (") == nil)
        #expect(Caps(caps.description)?.description == caps.description)
    }

    @Test func noneIsNil() {
        #expect(ClockTime(GstClockTime.max) == nil)
        #expect(ClockTime.raw(nil) == GstClockTime.max)
        #expect(ClockTime(nanoseconds: -1_500_000_001).description == "-1.500000001 s")
    }

    @Test func runningTimeIsSignedBeforeTheSegment() {
        var raw = GstSegment()
        gst_segment_init(&raw, GST_FORMAT_TIME)
        raw.start = 1000
        let segment = Segment(raw)
        #expect(segment.runningTime(of: .init(nanoseconds: 1500)) == .init(nanoseconds: 500))
        #expect(segment.runningTime(of: .init(nanoseconds: 900)) == .init(nanoseconds: -100))
        #expect(segment.runningTime(of: nil) == nil)
    }

    @Test func registryAnswersWithoutMakingElements() {
        #expect(ElementFactory.exists("fakesink"))
        #expect(!ElementFactory.exists("x264ecn"))
        #expect(ElementFactory.propertyNames(of: "fakesink")?.contains("sync") == true)
        #expect(ElementFactory.propertyNames(of: "x264ecn") == nil)
        #expect(ElementFactory.allNames().contains("videotestsrc"))
    }
}
