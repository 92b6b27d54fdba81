import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// What who has a pipeline play is told, and that it is told at all.
@Suite(.timeLimit(.minutes(10))) struct PipelinePlayTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    private static func policy(limit: Int = 100, delay: ClockTime = .milliseconds(1)) -> RestartPolicy {
        var policy = RestartPolicy()
        (policy.delay, policy.backoff, policy.jitter, policy.limit) = (delay, 1, 0, limit)
        return policy
    }

    private static let broken = "filesrc location=/nowhere/clip ! fakesink"

    /// It was never answered: who waited was kept, and had later pauses hurry.
    @Test @HostActor func whatFailsAgainAndAgainIsAnsweredByItsAttempt() async throws {
        let bench = PipelineBench(Self.broken, clock: VirtualClock()) {
            $0.restart = Self.policy(delay: .seconds(20))
        }
        let pipeline = try bench.pipeline
        pipeline.play()
        let error = await #expect(throws: ControlError.self) { try await pipeline.comesToPlay() }
        #expect(error?.code == .failed)
        let message = error?.message ?? ""
        #expect(message.hasPrefix("pipeline p is recovering: filesrc0: ") && message.hasSuffix("; it is tried again"))
        #expect(pipeline.waiters.isEmpty && !pipeline.isAwaited)
        pipeline.stop()
        try await bench.reaches("stopped")
    }

    /// Nor was this, and nothing of it fails.
    @Test @HostActor func mediaThatNeverComeAreAnsweredInTime() async throws {
        let clock = VirtualClock()
        let bench = PipelineBench("fakesrc ! valve drop=true ! fakesink", clock: clock)
        let pipeline = try bench.pipeline
        pipeline.play()
        var answer: ControlError?
        Task { @HostActor in
            do throws(ControlError) { try await pipeline.comesToPlay() } catch { answer = error }
        }
        try await wait(while: pipeline.waiters.isEmpty || pipeline.build == nil)
        // A pause of somebody else's has no limit for that.
        #expect(!pipeline.isAwaited)
        clock.advance(by: pipeline.limits.arrival)
        try await wait(while: answer == nil)
        #expect(answer?.code == .timeout)
        #expect(
            answer?.message
                == "pipeline p is starting, and does not play after 20s: it is on its way to play; it plays when its media come"
        )
        #expect(pipeline.waiters.isEmpty)
        pipeline.stop()
        try await bench.reaches("stopped")
    }

    @Test @HostActor func whoIsThereInTimeIsNotToldAgain() async throws {
        let clock = VirtualClock()
        let bench = PipelineBench("videotestsrc is-live=true ! fakesink", clock: clock)
        let pipeline = try bench.pipeline
        pipeline.play()
        try await pipeline.comesToPlay()
        clock.advance(by: pipeline.limits.arrival)
        #expect(pipeline.waiters.isEmpty)
        pipeline.stop()
        try await bench.reaches("stopped")
    }

    /// It was answered as if it played.
    @Test @HostActor func aPipelineThatFailedForGoodIsNoSuccess() async throws {
        let bench = PipelineBench(Self.broken) { $0.restart = nil }
        let pipeline = try bench.pipeline
        pipeline.play()
        let error = await #expect(throws: ControlError.self) { try await pipeline.comesToPlay() }
        #expect(error?.code == .failed)
        let message = error?.message ?? ""
        #expect(message.hasPrefix("pipeline p is failed: filesrc0: ") && !message.contains("tried again"), "\(message)")
    }

    /// Its start has as much time as who waits for it: he was told that it plays when its media come.
    @Test @HostActor func aStartThatIsLateIsNoPromise() async throws {
        let clock = VirtualClock()
        let bench = PipelineBench("fakesrc ! valve drop=true ! fakesink", clock: clock) {
            $0.startTimeout = .seconds(20)
            $0.restart = nil
        }
        let pipeline = try bench.pipeline
        var answer: ControlError?
        pipeline.play()
        Task { @HostActor in
            do throws(ControlError) { try await pipeline.comesToPlay() } catch { answer = error }
        }
        try await wait(while: pipeline.waiters.isEmpty || pipeline.build == nil)
        // Its way down takes longer than that moment.
        pipeline.worker.submit { [worker = pipeline.worker] in worker.submit {} }
        clock.advance(by: .seconds(20))
        try await wait(while: answer == nil)
        #expect(answer?.code == .failed && answer?.message.hasPrefix("pipeline p is failed: ") == true)
        #expect(answer?.message.contains("when its media come") == false)
        await withCheckedContinuation { done in pipeline.whenAtRest { done.resume() } }
    }

    /// One was told that it is at rest when another had had it begin anew.
    @Test @HostActor func whoWaitsForRestWaitsForWhatAnotherBegins() async throws {
        let bench = PipelineBench("videotestsrc is-live=true ! fakesink")
        let pipeline = try bench.pipeline
        pipeline.play()
        try await bench.reaches("playing")
        pipeline.stop()
        pipeline.whenAtRest {
            pipeline.startOver()
            pipeline.pause()
        }
        await withCheckedContinuation { done in pipeline.whenAtRest { done.resume() } }
        #expect(pipeline.state == .paused)
        pipeline.stop()
        try await bench.reaches("stopped")
    }

    /// An interruption took it back to where it had been stopped for good.
    @Test @HostActor func aStopForgetsThePlaceWhateverComesBeforeItIsAtRest() async throws {
        let bench = PipelineBench("audiotestsrc ! audio/x-raw,rate=44100 ! fakesink sync=true")
        let pipeline = try bench.pipeline
        pipeline.play()
        try await bench.reaches("playing")
        try await wait(while: try #require(pipeline.build).pipeline.position ?? .zero < .milliseconds(50))
        pipeline.stop()
        #expect(pipeline.state == .draining)
        pipeline.play()
        pipeline.interrupt()
        await withCheckedContinuation { done in pipeline.whenAtRest { done.resume() } }
        #expect(pipeline.place == nil && pipeline.state == .stopped)
    }

    /// It came back with its pictures in the words of its status.
    @Test @HostActor func aModeThatIsSaidWhileTheHostStopsItIsShown() async throws {
        let bench = PipelineBench(
            "videotestsrc is-live=true ! video/x-raw,width=16,height=16 ! fakesink audiotestsrc is-live=true ! fakesink"
        ) { $0.background.interrupted = .stop }
        let pipeline = try bench.pipeline
        let set = PipelineSet([pipeline])
        set.play(pipeline)
        try await bench.reaches("playing")
        var isQuiet = false
        set.follow(.interrupted) { isQuiet = true }
        #expect(pipeline.state == .draining)
        await withCheckedContinuation { done in set.setMode(.audio, of: pipeline) { done.resume() } }
        try await wait(while: !isQuiet)
        #expect(pipeline.modes.wanted == .audio)
    }

    /// Nothing was tried before its cool-down was over, 5 minutes later.
    @Test @HostActor func whatHasFailedIsTriedAtOnceWhereItWas() async throws {
        let bench = PipelineBench(Self.broken) { $0.restart = Self.policy(limit: 1) }
        let pipeline = try bench.pipeline
        let set = PipelineSet([pipeline])
        var builds = 0
        bench.onBuilt = { _ in builds += 1 }
        pipeline.place = PlaybackPlace(position: .seconds(7), rate: 1)
        pipeline.play()
        try await bench.changes(to: "failed")
        await withCheckedContinuation { done in pipeline.whenAtRest { done.resume() } }
        #expect(builds == 2 && !pipeline.hasEnded)
        set.playNow(pipeline)
        #expect(pipeline.state == .building)
        await #expect(throws: ControlError.self) { try await pipeline.comesToPlay() }
        #expect(builds >= 3 && pipeline.place?.position == .seconds(7))
        pipeline.stop()
        await withCheckedContinuation { done in pipeline.whenAtRest { done.resume() } }
    }

    /// It was told when it would be tried again, also of one that its user had put off.
    @Test @HostActor func noAttemptIsPromisedThatDoesNotCome() async throws {
        let bench = PipelineBench(Self.broken, clock: VirtualClock()) {
            $0.restart = Self.policy(delay: .seconds(20))
        }
        let pipeline = try bench.pipeline
        pipeline.play()
        await #expect(throws: ControlError.self) { try await pipeline.comesToPlay() }
        #expect(pipeline.status()["next_attempt_in_ns"] != nil)
        pipeline.pause()
        #expect(pipeline.condition == .recovering && pipeline.status()["next_attempt_in_ns"] == nil)
        pipeline.play()
        #expect(pipeline.status()["next_attempt_in_ns"] != nil)
        pipeline.stop()
        try await bench.reaches("stopped")
    }

    /// One that was starting, or was being ended, was to be started first.
    @Test @HostActor func whyNothingIsBuiltIsSaidAsItIs() async throws {
        let bench = PipelineBench("audiotestsrc ! fakesink sync=true")
        let pipeline = try bench.pipeline
        #expect(pipeline.notBuilt.message == "pipeline p is stopped: start it first")
        pipeline.play()
        #expect(pipeline.notBuilt.message == "pipeline p is starting: it can when it plays")
        try await bench.reaches("playing")
        pipeline.stop()
        #expect(pipeline.notBuilt.message == "pipeline p is playing: it is being ended")
        try await bench.reaches("stopped")
    }
}
