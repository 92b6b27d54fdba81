import Foundation
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Real pipelines as the lifecycle brings them to rest and back.
@Suite struct PipelineSetTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    @HostActor
    private func follow(_ state: DesiredState, _ set: PipelineSet) async {
        await withCheckedContinuation { done in set.follow(state) { done.resume() } }
    }

    @HostActor
    private func atRest(_ controller: PipelineController) async {
        await withCheckedContinuation { done in controller.whenAtRest { done.resume() } }
    }

    private static let camera =
        "videotestsrc is-live=true ! video/x-raw,width=16,height=16,framerate=100/1 ! tee name=t"
        + " ! queue ! fakesink name=a t. ! queue ! fakesink name=b"

    /// The event was armed by a build alone: one that kept its devices in the pause never told it again, and who waited for it
    /// after a resume waited for ever.
    @Test(.timeLimit(.minutes(10))) @HostActor func eachResumeFromAPauseTellsItsFirstBuffer() async throws {
        let bench = PipelineBench(Self.camera)
        let set = PipelineSet([try bench.pipeline])
        set.startAll()
        try await bench.showsItsFirstBuffer()
        for round in 1...5 {
            await follow(.interrupted, set)
            #expect(try bench.pipeline.condition == .paused)
            #expect(bench.firstBuffers.count == round)
            await follow([], set)
            try await bench.showsItsFirstBuffer(round + 1)
        }
        await follow(.shuttingDown, set)
        #expect(bench.firstBuffers.count == 6)
    }

    /// What is built while the host waits for its user prerolls there, which was taken for the first buffer of the resume.
    @Test(.timeLimit(.minutes(10))) @HostActor func aPrerollWhileTheHostWaitsIsNoResume() async throws {
        let bench = PipelineBench("videotestsrc ! video/x-raw,width=16,height=16 ! fakesink sync=true") {
            $0.background.interrupted = .stop
        }
        let set = PipelineSet([try bench.pipeline])
        set.startAll()
        try await bench.showsItsFirstBuffer()
        await follow(.interrupted, set)
        #expect(try bench.pipeline.condition == .stopped)
        await follow(.waiting, set)
        try await bench.reaches("paused")
        try await bench.showsItsFirstBuffer(2)
        await follow([], set)
        try await bench.showsItsFirstBuffer(3)
        await follow(.shuttingDown, set)
        #expect(bench.firstBuffers.count == 3)
    }

    private static let film =
        "videotestsrc ! video/x-raw,width=16,height=16,framerate=25/1 ! queue ! fakesink name=eyes sync=true"
        + " audiotestsrc ! queue ! fakesink name=ears sync=true"

    private static func locking(_ description: inout PipelineDescription) {
        description.background.locked = .audioOnly
        description.background.paused = .stop
    }

    /// A build that was torn down counted as one that shows pictures, and told so on its way.
    @Test(.timeLimit(.minutes(10))) @HostActor func aBuildThatGoesTellsNoModeThatItHasNot() async throws {
        let bench = PipelineBench(Self.film, Self.locking)
        let set = PipelineSet([try bench.pipeline])
        set.startAll()
        try await bench.reaches("playing")
        await follow(.locked, set)
        try await bench.presents(.audio)
        await follow([.locked, .paused], set)
        #expect(try bench.pipeline.condition == .stopped)
        #expect(bench.modes == [.audio])
        // It plays again without pictures, which was told before; then with them.
        await follow(.locked, set)
        try await bench.reaches("playing")
        await follow([], set)
        try await bench.presents(.video)
        await follow(.shuttingDown, set)
        #expect(bench.modes == [.audio, .video])
    }

    /// The pictures of a new build were taken out only when it played: a locked screen flashed for a fifth of a second.
    @Test(.timeLimit(.minutes(10)), arguments: [false, true])
    @HostActor func whatIsBuiltWhileTheHostIsLockedShowsNoPicture(isPausedFirst: Bool) async throws {
        let bench = PipelineBench(Self.film) {
            Self.locking(&$0)
            $0.background.interrupted = .pause
        }
        let (pictures, picture) = AsyncStream<Void>.makeStream()
        let seen = Recorder<Void>()
        bench.onBuilt = { pipeline in
            _ = pipeline.element(named: "eyes")?.pad(named: "sink")?.addProbe { _ in
                seen.record(())
                picture.yield()
                return .pass
            }
        }
        let set = PipelineSet([try bench.pipeline])
        await follow(.locked, set)
        if isPausedFirst { await follow([.locked, .interrupted], set) }
        set.startAll()
        if isPausedFirst {
            try await bench.reaches("paused")
            #expect(try bench.pipeline.mode == .audio)
            await follow(.locked, set)
        }
        try await bench.presents(.audio)
        try await bench.reaches("playing")
        #expect(seen.elements.isEmpty)
        await follow([], set)
        try await bench.presents(.video)
        for await _ in pictures { break }
        await follow(.shuttingDown, set)
    }

    /// Who changes his mind before it plays sees its first picture.
    @Test(.timeLimit(.minutes(10))) @HostActor func picturesThatAreWantedBeforeItPlaysAreThere() async throws {
        let bench = PipelineBench(Self.film, Self.locking)
        let set = PipelineSet([try bench.pipeline])
        await follow(.locked, set)
        set.startAll()
        await follow([], set)
        try await bench.reaches("playing")
        #expect(try bench.pipeline.mode == .video)
        await follow(.shuttingDown, set)
        #expect(bench.modes.isEmpty)
    }

    /// With pictures alone there is nothing to go on without them.
    @Test(.timeLimit(.minutes(10))) @HostActor func picturesWithNothingElseAreLeftAsTheyAre() async throws {
        let bench = PipelineBench("videotestsrc ! video/x-raw,width=16,height=16 ! fakesink sync=true", Self.locking)
        let set = PipelineSet([try bench.pipeline])
        await follow(.locked, set)
        set.startAll()
        try await bench.reaches("playing")
        #expect(try bench.pipeline.mode == .video)
        await follow(.shuttingDown, set)
    }

    /// One that had come to its end by itself stayed so, although its device may be there again; a failed one did not.
    @Test(.timeLimit(.minutes(10))) @HostActor func aCaptureThatHasEndedIsTriedAgain() async throws {
        let bench = PipelineBench("audiotestsrc is-live=true num-buffers=3 ! fakesink")
        let set = PipelineSet([try bench.pipeline])
        set.startAll()
        try await bench.reaches("finished")
        await follow(.paused, set)
        #expect(try bench.pipeline.condition == .finished)
        await follow([], set)
        try await bench.showsItsFirstBuffer(2)
        try await bench.reaches("finished")
        // Not what its user has stopped.
        set.stop(try bench.pipeline)
        await follow(.paused, set)
        await follow([], set)
        await atRest(try bench.pipeline)
        #expect(bench.firstBuffers.count == 2)
    }

    /// As where the camera is plugged in after the start; also one that would be tried again by itself, but later.
    @Test(.timeLimit(.minutes(10)), arguments: [false, true])
    @HostActor func aCaptureThatHasNeverRunIsTriedAgain(_ coolsDown: Bool) async throws {
        let place = try TemporaryDirectory()
        let bench = PipelineBench(
            "audiotestsrc is-live=true num-buffers=3 ! filesink location=\(place.path("later/sound"))"
        ) { description in
            guard coolsDown else { return }
            var policy = RestartPolicy()
            (policy.limit, policy.coolDown) = (0, .seconds(86_400))
            description.restart = policy
        }
        let set = PipelineSet([try bench.pipeline])
        set.startAll()
        try await bench.reaches("failed")
        await follow(.paused, set)
        try FileManager.default.createDirectory(atPath: place.path("later"), withIntermediateDirectories: true)
        await follow([], set)
        try await bench.reaches("finished")
        #expect(bench.states.count { $0 == "failed" } == 1, "\(bench.states)")
    }

    /// A pipeline that its user paused while it started, and that could not be paused in time.
    @HostActor private func missedPause() async throws -> (PipelineBench, PipelineController, PipelineSet) {
        var limits = PipelineController.Limits()
        limits.pause = .milliseconds(50)
        let bench = PipelineBench("fakesrc ! valve drop=true ! fakesink", limits: limits)
        let pipeline = try bench.pipeline
        let set = PipelineSet([pipeline])
        set.startAll()
        set.pause(pipeline)
        await atRest(pipeline)
        return (bench, pipeline, set)
    }

    /// A pause that is not reached in time makes a stop of it, which was taken for the user's own: it came back with no resume,
    /// and not where it was.
    @Test(.timeLimit(.minutes(10))) @HostActor func whatCouldNotBePausedInTimeIsPausedToItsUser() async throws {
        let (bench, pipeline, set) = try await missedPause()
        #expect(pipeline.condition == .stopped)
        #expect(pipeline.situation.intent == .paused && pipeline.numbers.lateSteps == 1)
        #expect(bench.warnings.contains { $0.contains("waiting for fakesink") })
        await follow(.paused, set)
        await follow([], set)
        #expect(bench.states.count { $0 == "starting" } == 2)
        #expect(pipeline.situation.intent == .paused)
        set.stop(pipeline)
        #expect(pipeline.situation.intent == .stopped)
        await atRest(pipeline)
    }

    /// A pause ended what waited for the pictures to go, which stopped the pipeline there and then; and the pause was made behind
    /// that, with the limit of a pause in place of that of the end: it came to no end at all.
    @Test(.timeLimit(.minutes(10))) @HostActor func aStopThatComesOfAPauseIsMadeBehindIt() async throws {
        // No deadline passes on this clock.
        let bench = PipelineBench(
            "videotestsrc is-live=true ! video/x-raw,width=16,height=16,framerate=100/1 ! fakesink"
                + " audiotestsrc is-live=true samplesperbuffer=441 ! audio/x-raw,rate=44100 ! fakesink",
            clock: VirtualClock())
        let pipeline = try bench.pipeline
        pipeline.play()
        try await bench.showsItsFirstBuffer()
        try await wait(while: pipeline.modes.output == nil)
        pipeline.setMode(.audio) { pipeline.stop() }
        pipeline.pause()
        #expect(pipeline.machine.target == .stopped)
        await atRest(pipeline)
        #expect(pipeline.condition == .stopped && pipeline.machine.failedDrains == 0)
    }

    /// The interruption waited until the start was late; where that may take for ever, so did all that came behind it.
    @Test(.timeLimit(.minutes(10))) @HostActor func aPauseThatWasMissedKeepsNoInterruptionWaiting() async throws {
        let (_, pipeline, set) = try await missedPause()
        await follow(.interrupted, set)
        #expect(pipeline.condition == .stopped && pipeline.numbers.lateSteps == 2)
        await follow([], set)
        try await wait(while: pipeline.machine.state != .changing(.paused))
        // On its way down when the interruption comes.
        set.stop(pipeline)
        set.play(pipeline)
        await follow(.interrupted, set)
        #expect(pipeline.condition == .stopped && pipeline.numbers.lateSteps == 3)
        await follow(.shuttingDown, set)
    }

    /// The old build began once more, and played on beside the new one: its camera stayed open.
    @Test(.timeLimit(.minutes(10)), arguments: [false, true])
    @HostActor func whatAReloadHasInHandIsNotStartedBehindItsBack(_ isAtRest: Bool) async throws {
        let bench = PipelineBench("videotestsrc ! video/x-raw,width=16,height=16 ! fakesink sync=true")
        let pipeline = try bench.pipeline
        let set = PipelineSet([pipeline])
        set.startAll()
        try await bench.reaches("playing")
        var builds = 0
        bench.onBuilt = { _ in builds += 1 }
        await withCheckedContinuation { down in
            set.takeDown(pipeline) { down.resume() }
            if !isAtRest { set.startOver(pipeline) }
        }
        if isAtRest { set.play(pipeline) }
        await atRest(pipeline)
        #expect(pipeline.condition == .stopped && builds == 0)
        pipeline.replace(with: pipeline.description)
        set.bringUp(pipeline, toRun: true)
        try await bench.reaches("playing")
        #expect(builds == 1)
        await follow(.shuttingDown, set)
    }

    private static let recording =
        "videotestsrc is-live=true ! video/x-raw,width=16,height=16,framerate=100/1 ! fakesink sync=true"

    /// It stayed stopped for good: a sleep that came between its stop and its start took it for one that its user had stopped.
    @Test(.timeLimit(.minutes(10)), arguments: [false, true])
    @HostActor func aRestartOutlivesASleep(isAwakeBefore: Bool) async throws {
        let bench = PipelineBench(Self.recording)
        let pipeline = try bench.pipeline
        let set = PipelineSet([pipeline])
        set.startAll()
        try await bench.showsItsFirstBuffer()
        var isAnswered = false
        set.restart(pipeline) { isAnswered = true }
        if isAwakeBefore {
            set.follow(.suspended) {}
        } else {
            await follow(.suspended, set)
            #expect(isAnswered && pipeline.condition == .stopped)
        }
        await follow([], set)
        try await bench.showsItsFirstBuffer(2)
        await follow(.shuttingDown, set)
        #expect(bench.firstBuffers.count == 2)
    }

    /// The older word was followed: it played.
    @Test(.timeLimit(.minutes(10))) @HostActor func aStopDuringARestartHolds() async throws {
        let bench = PipelineBench(Self.recording)
        let pipeline = try bench.pipeline
        let set = PipelineSet([pipeline])
        set.startAll()
        try await bench.showsItsFirstBuffer()
        await withCheckedContinuation { done in
            set.restart(pipeline) { done.resume() }
            set.stop(pipeline)
        }
        #expect(pipeline.condition == .stopped && pipeline.machine.target == .stopped)
        // Twice at once is once.
        var answers = 0
        await withCheckedContinuation { done in
            for _ in 0..<2 {
                set.restart(pipeline) {
                    answers += 1
                    if answers == 2 { done.resume() }
                }
            }
        }
        try await bench.showsItsFirstBuffer(2)
        await follow(.shuttingDown, set)
        #expect(bench.firstBuffers.count == 2)
    }

    /// `next_mode` was what would not come.
    @Test(.timeLimit(.minutes(10))) @HostActor func aModeThatIsSaidInAPauseIsWhatComes() async throws {
        let bench = PipelineBench(Self.recording)
        let pipeline = try bench.pipeline
        let set = PipelineSet([pipeline])
        set.startAll()
        try await bench.showsItsFirstBuffer()
        await follow(.suspended, set)
        for mode in [MediaMode.audio, .video] {
            await withCheckedContinuation { done in set.setMode(mode, of: pipeline) { done.resume() } }
            #expect(pipeline.modes.wanted == mode)
        }
        await follow(.shuttingDown, set)
    }

    /// A camera that failed while its interruption ended was left alone for its cool-down, or for good.
    @Test(.timeLimit(.minutes(10))) @HostActor func whatFailsAsItsHostComesBackIsTriedAgain() async throws {
        let bench = PipelineBench(Self.recording) { $0.restart = nil }
        let pipeline = try bench.pipeline
        let set = PipelineSet([pipeline])
        set.startAll()
        try await bench.showsItsFirstBuffer()
        // It has failed, and is on its way down.
        bench.onState = { controller in
            guard case .closing(.failed) = controller.machine.state else { return }
            set.follow(.interrupted) {}
            set.follow([]) {}
        }
        try #require(pipeline.build?.pipeline.element(named: "fakesink0")).fail()
        try await bench.showsItsFirstBuffer(2)
        bench.onState = nil
        await follow(.shuttingDown, set)
    }

    /// As an element does whose library is on a disk that does not answer.
    @Test(.timeLimit(.minutes(10)), arguments: [DesiredState.paused, .interrupted])
    @HostActor func aBuildThatHangsKeepsNoPauseWaiting(_ state: DesiredState) async throws {
        var limits = PipelineController.Limits()
        limits.close = .milliseconds(50)
        let bench = PipelineBench("videotestsrc ! video/x-raw,width=16,height=16 ! fakesink sync=true", limits: limits)
        let pipeline = try bench.pipeline
        let answers = DispatchSemaphore(value: 0)
        pipeline.worker.submit { answers.wait() }
        let set = PipelineSet([pipeline])
        set.startAll()
        await follow(state, set)
        #expect(pipeline.condition == .stopped && pipeline.numbers.lateSteps == 1)
        #expect(bench.warnings.count == 1 && bench.warnings[0].contains("still being built"), "\(bench.warnings)")
        await follow([], set)
        try await bench.reaches("playing")
        // What it waited in is over: nobody takes it for the build that plays.
        answers.signal()
        try await bench.showsItsFirstBuffer()
        set.stop(pipeline)
        await atRest(pipeline)
        #expect(bench.states.count { $0 == "playing" } == 1)
    }
}
