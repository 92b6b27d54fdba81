import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Who is named where the host does not come to where it is to be.
@Suite(.timeLimit(.minutes(10))) struct StillBusyTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    /// The programs of rules were named, of which there are none.
    @Test @HostActor func picturesThatDoNotGoAreNamed() async throws {
        let clock = VirtualClock()
        // Its second picture waits in the sink for as long as the test lasts.
        let bench = try ReloadBench(
            """
            pipelines:
              a:
                launch: >-
                  videotestsrc ! video/x-raw,width=16,height=16,framerate=1/1000 ! fakesink sync=true
                  audiotestsrc ! fakesink sync=true

            """, clock: clock)
        await bench.awaits("a", "playing")
        let pipeline = try #require(bench.host.pipelines["a"])
        // Behind the look at what can be taken out.
        await withCheckedContinuation { done in
            pipeline.worker.submit { HostActor.enqueue { done.resume() } }
        }
        #expect(bench.host.stillBusy == "nothing that is known")
        bench.host.pipelines.setMode(.audio, of: pipeline) {}
        #expect(bench.host.stillBusy == "a (its pictures)")
        clock.advance(by: MediaModeSwitch.patience)
        #expect(bench.host.stillBusy == "nothing that is known")
        #expect(await bench.end() == .asked)
    }
}
