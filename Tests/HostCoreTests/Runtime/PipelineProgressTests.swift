import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// What keeps the sign of life: a controller whose deadlines are kept, however its pipeline is. The controller's clock stands
/// still in these tests, as if its timers were lost, while the watchdog's goes on.
@Suite struct PipelineProgressTests {
    init() throws {
        try GStreamer.start()
        MainLoopThread.start()
    }

    /// A pipeline that fails, and is tried again 20 s later.
    @HostActor private static func failing() -> PipelineBench {
        PipelineBench("filesrc location=/nowhere/clip ! fakesink", clock: VirtualClock()) {
            var policy = RestartPolicy()
            (policy.delay, policy.jitter) = (.seconds(20), 0)
            $0.restart = policy
        }
    }

    @Test @HostActor func theNextAttemptMayBeFarButNotOverdue() async throws {
        let bench = Self.failing()
        let clock = VirtualClock()
        let progress = PipelineProgress(try bench.pipeline, clock: clock)
        #expect(progress.isMakingProgress)
        try bench.pipeline.play()
        try await bench.reaches("recovering")
        // Its old build has come to rest by then, or is an end that is under way.
        clock.advance(by: .seconds(29))
        #expect(progress.isMakingProgress)
        await withCheckedContinuation { done in HostActor.enqueue { done.resume() } }
        clock.advance(by: .seconds(100))
        #expect(!progress.isMakingProgress)
    }

    /// The time of an attempt that its user had put off was long over, and the service manager ended the host for that.
    @Test @HostActor func whatWaitsForItsUserWaitsAsLongAsThatTakes() async throws {
        let bench = Self.failing()
        let clock = VirtualClock()
        let pipeline = try bench.pipeline
        let progress = PipelineProgress(pipeline, clock: clock)
        pipeline.play()
        try await bench.reaches("recovering")
        pipeline.pause()
        await withCheckedContinuation { done in pipeline.whenAtRest { done.resume() } }
        clock.advance(by: .seconds(86_400))
        #expect(progress.isMakingProgress)
        pipeline.play()
        #expect(!progress.isMakingProgress)
    }

    @Test @HostActor func aSilenceThatNobodyLooksIntoIsNoProgress() async throws {
        let bench = PipelineBench("videotestsrc is-live=true ! fakesink", clock: VirtualClock()) {
            $0.stallTimeout = .seconds(5)
        }
        let clock = VirtualClock()
        let progress = PipelineProgress(try bench.pipeline, clock: clock)
        try bench.pipeline.play()
        try await bench.reaches("playing")
        clock.advance(by: .seconds(30))
        #expect(progress.isMakingProgress)
        clock.advance(by: .seconds(10))
        #expect(!progress.isMakingProgress)
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
        #expect(progress.isMakingProgress)
    }
}
