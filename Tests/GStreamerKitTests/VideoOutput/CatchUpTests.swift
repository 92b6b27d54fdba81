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
        for late in 1...Int64(CatchUp.patience) + 2 { report(late) }
        #expect(heard.elements == [Int64(CatchUp.patience) + 1, Int64(CatchUp.patience) + 2])
    }

    @Test func whoEndsBeforeIsHeardAtOnce() throws {
        defer { pipeline.setState(.null) }
        let probe = try #require(CatchUp.keepLatenessBack(on: input))
        report(500)
        probe.cancel()
        report(40)
        #expect(heard.elements == [40])
    }

    /// Whether pictures of 1 s pass the probe, each with what its decoder took for it, in seconds.
    private func pictures(_ costs: [Int], moves: Bool = true) throws -> [Bool] {
        defer { pipeline.setState(.null) }
        // Without a clock its time is what it is set to.
        if moves { pipeline.element.pointer.pointee.target_state = GST_STATE_PLAYING }
        let before = try #require(pipeline.element(named: "before")?.pad(named: "src"))
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_TIME)
        gst_pad_push_event(before.pointer, gst_event_new_stream_start("stream"))
        gst_pad_push_event(before.pointer, gst_event_new_segment(&segment))
        _ = try #require(CatchUp.dropWhatIsOver(on: before, time: RunningTime(of: pipeline)))
        // Behind the first one, which asks only whether a picture is over.
        let passed = Recorder<ClockTime?>()
        _ = before.addProbe { data in
            if case .buffer(let picture) = consume data { passed.record(picture.pts) }
            return .drop
        }
        var now = 10
        return costs.enumerated().map { number, cost in
            now += cost
            gst_element_set_start_time(pipeline.element.pointer, GstClockTime(now * 1_000_000_000))
            guard let buffer = gst_buffer_new() else { return false }
            buffer.pointee.pts = GstClockTime(number * 1_000_000_000)
            buffer.pointee.duration = 1_000_000_000
            let count = passed.elements.count
            gst_pad_push(before.pointer, buffer)
            return passed.elements.count > count
        }
    }

    @Test func whatIsOverIsDroppedButTheFirst() throws {
        // Ten seconds late, and as many pictures a second as are to be shown in three.
        let shown = try pictures(Array([0, 0, 1].joinedRepeating(8)))
        #expect(shown.first == true && !shown[1..<15].contains(true) && !shown[15...].contains(false), "\(shown)")
    }

    /// A sink would show it for all of the pause, ten seconds of film away from where it stands.
    @Test func inAPauseTheFirstIsTheOneWhereItStands() throws {
        let shown = try pictures([12] + Array(repeating: 0, count: 30), moves: false)
        #expect(shown.firstIndex(of: true) == 22 && !shown[22...].contains(false), "\(shown)")
    }

    /// It is no use to wait for who falls behind: from the second second on all pass, and the sink says how late they are.
    @Test func whoFallsBehindIsLeftToTheSink() throws {
        let shown = try pictures(Array(repeating: 1, count: 2 * CatchUp.patience))
        #expect(shown.first == true && !shown[1..<CatchUp.patience].contains(true), "\(shown)")
        #expect(!shown[CatchUp.patience...].contains(false), "\(shown)")
    }
}

extension Array {
    fileprivate func joinedRepeating(_ count: Int) -> [Element] { (0..<count).flatMap { _ in self } }
}
