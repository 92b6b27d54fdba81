import CGStreamer
import GStreamerKit
import HostTestKit
import Synchronization
import TestElements
import Testing

@testable import HostCore

@Suite struct LostClockTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    private final class Count: Sendable {
        private let number = Atomic(0)
        func add() { number.add(1, ordering: .relaxed) }
        var value: Int { number.load(ordering: .relaxed) }
    }

    /// The clock of a device that has ended stands still, and no wait by it returns: what was hidden waited for good.
    @Test(.timeLimit(.minutes(10))) @HostActor func whatIsHiddenGoesOnByTheNextClock() async throws {
        try #require(mh_stopped_clock_register() != 0)
        let bench = PipelineBench(
            "videotestsrc name=camera ! video/x-raw,width=16,height=16,framerate=100/1 ! identity sleep-time=10000"
                + " ! fakesink sync=false audiotestsrc ! identity sleep-time=10000 ! fakesink sync=false stoppedclock")
        let pictures = Count()
        bench.onBuilt = { build in
            _ = build.element(named: "camera")?.pad(named: "src")?.addProbe { _ in
                pictures.add()
                return .pass
            }
        }
        let pipeline = try bench.pipeline
        pipeline.setMode(.audio) {}
        pipeline.play()
        try await bench.presents(.audio)
        try await bench.reaches("playing")
        let element = try #require(pipeline.build?.pipeline.element)
        let clock = gst_system_clock_obtain()
        defer { gst_object_unref(clock) }
        gst_pipeline_use_clock(element.raw.assumingMemoryBound(to: GstPipeline.self), clock)
        let before = pictures.value
        gst_element_post_message(
            element.raw.assumingMemoryBound(to: GstElement.self),
            gst_message_new_clock_lost(element.raw.assumingMemoryBound(to: GstObject.self), clock))
        try await wait(while: pictures.value < before + 5)
        pipeline.stop()
        await withCheckedContinuation { done in pipeline.whenAtRest { done.resume() } }
    }
}
