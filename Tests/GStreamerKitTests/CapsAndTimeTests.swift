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

    /// Running times are computed here where the speed is normal; GStreamer must give the same answer.
    @Test func runningTimeIsGStreamers() {
        let edges: [guint64] = [0, 1, 999, 1000, 1500, 3_600_000_000_000_000, 1 << 62, guint64.max]
        for rate in [1.0, 2.0, -1.0] {
            for (start, base, offset) in [(0, 0, 0), (1000, 0, 0), (1000, 700, 0), (1000, 700, 300), (0, 0, 5000)] {
                var raw = GstSegment()
                gst_segment_init(&raw, GST_FORMAT_TIME)
                raw.rate = rate
                raw.start = guint64(start)
                raw.base = guint64(base)
                raw.offset = guint64(offset)
                if rate < 0 { raw.stop = 3_600_000_000_000_001 }
                for position in edges {
                    var found: guint64 = 0
                    let sign = gst_segment_to_running_time_full(&raw, GST_FORMAT_TIME, position, &found)
                    let expected: Int64? = sign == 0 ? nil : Int64(exactly: found).map { Int64(sign) * $0 }
                    let own = Segment(raw).runningTime(of: ClockTime(position))?.nanoseconds
                    #expect(own == expected, "rate \(rate), start \(start), base \(base), position \(position)")
                }
            }
        }
    }

    /// They are written out in BufferView.Flags.
    @Test func flagsAreGStreamers() {
        typealias Flags = BufferView.Flags
        #expect(Flags.discont.rawValue == GST_BUFFER_FLAG_DISCONT.rawValue)
        #expect(Flags.header.rawValue == GST_BUFFER_FLAG_HEADER.rawValue)
        #expect(Flags.gap.rawValue == GST_BUFFER_FLAG_GAP.rawValue)
        #expect(Flags.droppable.rawValue == GST_BUFFER_FLAG_DROPPABLE.rawValue)
        #expect(Flags.delta.rawValue == GST_BUFFER_FLAG_DELTA_UNIT.rawValue)
    }

    @Test func registryAnswersWithoutMakingElements() {
        #expect(ElementFactory.exists("fakesink"))
        #expect(!ElementFactory.exists("x264ecn"))
        #expect(ElementFactory.propertyNames(of: "fakesink")?.contains("sync") == true)
        #expect(ElementFactory.propertyNames(of: "x264ecn") == nil)
        #expect(ElementFactory.allNames().contains("videotestsrc"))
    }
}
