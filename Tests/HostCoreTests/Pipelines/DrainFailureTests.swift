@testable import GStreamerKit
import HostTestKit
import TestElements
import Testing

@testable import HostCore

/// An element fails while the end of the stream is on its way.
@Suite(.timeLimit(.minutes(10))) struct DrainFailureTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
        try #require(mh_cranked_clock_begin() != 0)
    }

    /// A source that was sent EOS kept the lock of its state for a thread that waited in a paused sink, and the pipeline never came to
    /// NULL: about once in 250 times.
    @Test @HostActor func thePipelineStopsAllTheSame() async throws {
        var campaign = Campaign(rounds: 400)
        for round in 1...campaign.rounds {
            // What would give the build up waits for ever: no time passes.
            let bench = PipelineBench(
                "videotestsrc is-live=true ! video/x-raw,width=16,height=16,framerate=100/1 ! identity name=fault ! fakesink"
                    + " audiotestsrc is-live=true samplesperbuffer=441 ! audio/x-raw,rate=44100 ! fakesink crankedclock",
                clock: VirtualClock())
            let controller = try bench.pipeline
            controller.play()
            try await bench.reaches("playing")
            let pad = try #require(controller.build?.pipeline.element(named: "fault")?.pad(named: "sink"))
            for _ in 0..<Int.random(in: 0...30, using: &campaign) { await Task.yield() }
            controller.stop()
            for _ in 0..<Int.random(in: 0...10, using: &campaign) { await Task.yield() }
            #expect(mh_failing_pad_use(pad.pointer) != 0)
            let limit = ContinuousClock.now + .seconds(60)
            try await wait(while: !controller.isAtRest && ContinuousClock.now < limit)
            try #require(controller.isAtRest, "round \(round), \(campaign.note): \(controller.state)")
        }
    }
}
