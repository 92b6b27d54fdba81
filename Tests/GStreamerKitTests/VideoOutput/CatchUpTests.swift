import CGStreamer
import HostTestKit
import Testing

@testable import GStreamerKit

/// What those before a sink hear of how late it is while pictures come back.
@Suite struct CatchUpTests {
    private let pipeline: Pipeline
    private let input: Pad
    private let heard = Recorder<Int64>()

    init() throws {
        try GStreamer.start()
        pipeline = try Pipeline(launch: "identity name=before ! fakesink name=eyes", name: "late")
        input = try #require(pipeline.element(named: "eyes")?.pad(named: "sink"))
        let before = try #require(pipeline.element(named: "before")?.pad(named: "src"))
        _ = before.addUpstreamProbe { [heard] event in
            if case .quality(_, let late) = event { heard.record(late) }
            return .pass
        }
        pipeline.setState(.ready)
        for pad in [input, before] { gst_pad_set_active(pad.pointer, 1) }
    }

    /// As a sink does for a picture that is so late.
    private func report(_ late: Int64) {
        let type = late > 0 ? GST_QOS_TYPE_UNDERFLOW : GST_QOS_TYPE_OVERFLOW
        gst_pad_push_event(input.pointer, gst_event_new_qos(type, 1, GstClockTimeDiff(late), 1000))
    }

    @Test func nobodyHearsOfTheFirstLatePictures() throws {
        defer { pipeline.setState(.null) }
        _ = try #require(CatchUp.keepLatenessBack(on: input))
        for late in [500, 40, -3, 7] as [Int64] { report(late) }
        #expect(heard.elements == [-3, 7])
    }

    /// Who never is in time is too slow.
    @Test func whoStaysLateIsHeard() throws {
        defer { pipeline.setState(.null) }
        _ = try #require(CatchUp.keepLatenessBack(on: input))
        for late in 1...Int64(CatchUp.mostReports) + 2 { report(late) }
        #expect(heard.elements == [Int64(CatchUp.mostReports) + 1, Int64(CatchUp.mostReports) + 2])
    }

    @Test func whoEndsBeforeIsHeardAtOnce() throws {
        defer { pipeline.setState(.null) }
        let probe = try #require(CatchUp.keepLatenessBack(on: input))
        report(500)
        probe.cancel()
        report(40)
        #expect(heard.elements == [40])
    }
}
