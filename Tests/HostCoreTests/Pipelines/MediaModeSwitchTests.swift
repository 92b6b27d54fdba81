import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

@Suite struct MediaModeSwitchTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    /// Who asked second was answered with the patience of the first, which was almost over. What is late is named and counted, once.
    @Test(.timeLimit(.minutes(10))) @HostActor func eachWhoAsksHasItsOwnPatience() async throws {
        let clock = VirtualClock()
        // Its second picture waits in the sink for as long as the test lasts.
        let bench = PipelineBench(
            "videotestsrc ! video/x-raw,width=16,height=16,framerate=1/1000 ! fakesink name=eyes sync=true"
                + " audiotestsrc ! fakesink sync=true", clock: clock)
        let pipeline = try bench.pipeline
        pipeline.play()
        try await bench.reaches("playing")
        // Behind the look at what can be taken out.
        await withCheckedContinuation { done in
            pipeline.worker.submit { HostActor.enqueue { done.resume() } }
        }
        var answered: [Int] = []
        let half = ClockTime(nanoseconds: MediaModeSwitch.patience.nanoseconds / 2)
        pipeline.setMode(.audio) { answered.append(1) }
        clock.advance(by: half)
        pipeline.setMode(.audio) { answered.append(2) }
        #expect(answered.isEmpty)
        clock.advance(by: half)
        #expect(answered == [1])
        #expect(pipeline.numbers.lateSteps == 1)
        clock.advance(by: half)
        #expect(answered == [1, 2])
        #expect(pipeline.numbers.lateSteps == 1)
        #expect(
            bench.warnings == [
                "its pictures did not go within 2s (waiting for eyes); they do as soon as they can"
            ])
        pipeline.stop()
        // The end does not come past that picture.
        clock.advance(by: pipeline.limits.drain)
        await withCheckedContinuation { done in pipeline.whenAtRest { done.resume() } }
    }

    /// It played for ever: nobody said once more that its pictures were over.
    @Test(.timeLimit(.minutes(10))) @HostActor func whatIsOverWhileItIsHiddenEndsAlsoAfterAPause() async throws {
        let bench = PipelineBench(
            "videotestsrc num-buffers=20 ! video/x-raw,width=16,height=16,framerate=100/1 ! fakesink sync=true"
                + " audiotestsrc name=sound samplesperbuffer=441 ! audio/x-raw,rate=44100 ! fakesink sync=true"
        )
        let pipeline = try bench.pipeline
        pipeline.setMode(.audio) {}
        pipeline.play()
        try await bench.presents(.audio)
        // Its pictures are over after 0.2 s.
        let ends = ClockTime.milliseconds(300)
        try await wait(while: try #require(pipeline.build).pipeline.position ?? .zero < ends)
        pipeline.pause()
        try await bench.changes(to: "paused")
        pipeline.play()
        try await bench.reaches("playing")
        let sound = try #require(pipeline.build?.pipeline.element(named: "sound"))
        pipeline.workers.submit { sound.sendEndOfStream() }
        try await bench.reaches("finished")
    }

    /// The one with few pictures waits in the mixer for those of the other, which rests.
    @Test(.timeLimit(.minutes(10))) @HostActor func mixedPicturesOfTwoRatesGo() async throws {
        let rates = ["25/1", "5/1"].map { " videotestsrc ! video/x-raw,width=16,height=16,framerate=\($0) ! mix." }
        let bench = PipelineBench(
            "compositor name=mix ! fakesink sync=true audiotestsrc ! fakesink sync=true" + rates.joined())
        let pipeline = try bench.pipeline
        pipeline.play()
        try await bench.reaches("playing")
        for mode in [MediaMode.audio, .video, .audio] {
            pipeline.setMode(mode) {}
            try await bench.presents(mode)
        }
        pipeline.stop()
        await withCheckedContinuation { done in pipeline.whenAtRest { done.resume() } }
    }
}
