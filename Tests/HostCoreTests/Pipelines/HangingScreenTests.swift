import CGStreamer
import Dispatch
import GStreamerKit
import HostTestKit
import TestElements
import Testing

@testable import HostCore

@Suite struct HangingScreenTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    /// All that came after waited behind it: the pipeline counted as stopped, its sound played on, and a start played it twice.
    @Test(.timeLimit(.minutes(10)), arguments: [(false, false), (true, false), (true, true)])
    @HostActor func keepsNoSoundPlaying(isHidden: Bool, isPaused: Bool) async throws {
        var ears: Element?
        let screen = try await HangingScreen(
            "videotestsrc is-live=true ! " + HangingScreen.pictures
                + "audiotestsrc is-live=true samplesperbuffer=441 ! audio/x-raw,rate=44100 ! fakesink name=ears sync=true"
        ) { ears = $0.element(named: "ears") }
        let (pipeline, clock) = (screen.pipeline, screen.clock)
        if isHidden {
            var isAnswered = false
            try await screen.hangs { isAnswered = true }
            clock.advance(by: MediaModeSwitch.patience)
            #expect(isAnswered)
        }
        if isPaused { pipeline.pause() } else { pipeline.stop() }
        // Known to hang, it has its time from then on, and no end of which only the sound would be heard.
        let limit =
            isHidden ? pipeline.limits.close - MediaModeSwitch.patience : pipeline.limits.drain + pipeline.limits.close
        for _ in 0..<(limit.nanoseconds / 100_000_000 + 5) where !pipeline.isAtRest {
            clock.advance(by: .milliseconds(100))
            await withCheckedContinuation { done in
                HostActor.enqueue { HostActor.enqueue { HostActor.enqueue { done.resume() } } }
            }
        }
        #expect(pipeline.condition == .stopped && pipeline.machine.abandoned == 1)
        try await wait(while: try HangingScreen.state(of: #require(ears)) != GST_STATE_NULL)
        try await screen.isLetGo()
    }

    /// Its file got no end: that waited behind the screen, which nobody looked after where it did not come back.
    @Test(.timeLimit(.minutes(10)), arguments: [false, true])
    @HostActor func keepsNoRecordingFromItsEnd(isOnItsWayUp: Bool) async throws {
        let ended = Recorder<Bool>()
        let screen = try await HangingScreen(
            "videotestsrc is-live=true ! " + HangingScreen.pictures
                + "audiotestsrc is-live=true samplesperbuffer=441 ! wavenc ! filesink name=file location=/dev/null"
        ) { build in
            _ = build.element(named: "file")?.pad(named: "sink")?.addProbe(events: true) { data in
                if case .event(.endOfStream) = consume data { ended.record(true) }
                return .pass
            }
        }
        let (pipeline, clock) = (screen.pipeline, screen.clock)
        if isOnItsWayUp { try await screen.hangsOnItsWayUp() } else { try await screen.hangs() }
        // The lid is closed: the screen goes, and the machine is about to sleep.
        pipeline.stop()
        clock.advance(by: MediaModeSwitch.patience)
        try await wait(while: ended.elements.isEmpty)
        await screen.isGivenUp()
        try await screen.isLetGo()
        #expect(ended.elements == [true])
        // It was called cut off, and the host ended with exit code 1.
        #expect(pipeline.machine.failedDrains == 0 && pipeline.lastFailure == .stuck)
    }

    /// It was sent when it was known that the screen hangs, and had what was left of its time: the file was cut off.
    @Test(.timeLimit(.minutes(10))) @HostActor func leavesARecordingAllOfItsTime() async throws {
        let (came, gate) = (Recorder<Bool>(), DispatchSemaphore(value: 0))
        let screen = try await HangingScreen(
            "videotestsrc is-live=true ! " + HangingScreen.pictures
                + "audiotestsrc is-live=true samplesperbuffer=441 ! wavenc ! filesink name=file location=/dev/null"
        ) { build in
            _ = build.element(named: "file")?.pad(named: "sink")?.addProbe(events: true) { data in
                guard case .event(.endOfStream) = consume data else { return .pass }
                came.record(true)
                gate.wait()
                return .pass
            }
        }
        let (pipeline, clock) = (screen.pipeline, screen.clock)
        try await screen.hangs()
        pipeline.stop()
        clock.advance(by: MediaModeSwitch.patience)
        try await wait(while: came.elements.isEmpty)
        clock.advance(by: pipeline.limits.drain - .milliseconds(1))
        #expect(pipeline.state == .draining)
        let flow = try #require(pipeline.build).flow
        gate.signal()
        try await wait(while: !flow.unended.isEmpty)
        clock.advance(by: .milliseconds(1))
        #expect(pipeline.state != .draining)
        await screen.isGivenUp()
        try await screen.isLetGo()
        #expect(pipeline.machine.failedDrains == 0 && pipeline.lastFailure == .stuck)
    }

    /// Whoever asks while it does not play is answered at once, and nobody said later that the screen does not answer.
    @Test(.timeLimit(.minutes(10))) @HostActor func isNamedAlsoWhereNobodyWaits() async throws {
        let screen = try await HangingScreen.film()
        let (pipeline, clock) = (screen.pipeline, screen.clock)
        pipeline.pause()
        try await screen.bench.reaches("paused")
        var isAnswered = false
        pipeline.setMode(.audio) { isAnswered = true }
        #expect(isAnswered)
        pipeline.play()
        try await screen.hangsOnItsWayDown()
        #expect(screen.bench.warnings.isEmpty)
        clock.advance(by: MediaModeSwitch.patience)
        let named = "its pictures did not go within 2s (waiting for screen); they do as soon as they can"
        #expect(screen.bench.warnings == [named] && pipeline.numbers.lateSteps == 1)
        pipeline.stop()
        clock.advance(by: pipeline.limits.drain)
        await screen.isGivenUp()
        try await screen.isLetGo()
    }

    /// What is over says so in a bin that changes its state, too, where nobody but a timer can tell.
    @Test(.timeLimit(.minutes(10))) @HostActor func keepsNoFilmFromItsEndAfterAPause() async throws {
        let screen = try await HangingScreen.film()
        let (pipeline, clock) = (screen.pipeline, screen.clock)
        try await screen.hangs()
        pipeline.pause()
        pipeline.play()
        #expect(pipeline.state == .changing(.paused))
        clock.advance(by: MediaModeSwitch.patience)
        // It was never looked at again, and the watchdog ended the host.
        clock.advance(by: pipeline.limits.pause)
        #expect(pipeline.state == .changing(.playing))
        try screen.endsItsMedia()
        while pipeline.build != nil {
            try Task.checkCancellation()
            clock.advance(by: .milliseconds(100))
            await Task.yield()
        }
        await screen.isGivenUp()
        #expect(pipeline.condition == .finished)
        try await screen.isLetGo()
    }

    /// What it waited for could not come about, and 20 s later it had failed, though its sound had never stopped.
    @Test(.timeLimit(.minutes(10))) @HostActor func keepsNoSoundWaitingForABuffer() async throws {
        let screen = try await HangingScreen.film()
        let (pipeline, clock) = (screen.pipeline, screen.clock)
        try await screen.hangs()
        clock.advance(by: MediaModeSwitch.patience)
        pipeline.receive(.buffering(element: "queue", percent: 10), from: pipeline.buildNumber)
        #expect(pipeline.state == .playing)
        pipeline.stop()
        clock.advance(by: pipeline.limits.drain)
        await screen.isGivenUp()
        try await screen.isLetGo()
    }

    /// It played on for ever.
    @Test(.timeLimit(.minutes(10))) @HostActor func keepsNoFilmFromItsEnd() async throws {
        let screen = try await HangingScreen.film()
        let (pipeline, clock) = (screen.pipeline, screen.clock)
        try await screen.hangs()
        clock.advance(by: MediaModeSwitch.patience)
        try screen.endsItsMedia()
        try await wait(while: pipeline.build != nil)
        await screen.isGivenUp()
        #expect(pipeline.condition == .finished && pipeline.machine.abandoned == 1)
        try await screen.isLetGo()
    }

    /// It went on where the build before had begun.
    @Test(.timeLimit(.minutes(10))) @HostActor func losesNoPlaceOfWhatFails() async throws {
        let screen = try await HangingScreen.film { $0.restart = RestartPolicy() }
        let (pipeline, clock) = (screen.pipeline, screen.clock)
        let begin = ClockTime.milliseconds(100)
        try await screen.plays(to: begin)
        try await screen.hangs()
        try #require(pipeline.build?.pipeline.element(named: "ears")).fail()
        try await wait(while: pipeline.build != nil)
        clock.advance(by: pipeline.limits.close)
        try await wait(while: pipeline.place == nil)
        #expect(try #require(pipeline.place).position >= begin)
        // The next build may be there by now.
        mh_stuck_sink_let_go(screen.newest.raw)
        pipeline.stop()
        await withCheckedContinuation { done in pipeline.whenAtRest { done.resume() } }
        try await screen.isLetGo()
    }

    /// Nobody knew yet that it hangs, and what asked for the place waited behind it: a film began anew after the wake.
    @Test(.timeLimit(.minutes(10))) @HostActor func losesNoPlace() async throws {
        let screen = try await HangingScreen.film()
        let pipeline = screen.pipeline
        let begin = ClockTime.milliseconds(100)
        try await screen.plays(to: begin)
        try await screen.hangs()
        pipeline.interrupt()
        await screen.isGivenUp()
        try await wait(while: pipeline.place == nil)
        #expect(try #require(pipeline.place).position >= begin)
        try await screen.isLetGo()
        #expect(try #require(pipeline.place).position >= begin)
    }

    /// Its user was there before it: it began anew before the old build had said where it was.
    @Test(.timeLimit(.minutes(10)), arguments: [true, false])
    @HostActor func losesNoPlaceOfWhatIsToPlayAtOnce(answers: Bool) async throws {
        let screen = try await HangingScreen.film()
        let (pipeline, clock) = (screen.pipeline, screen.clock)
        let begin = ClockTime.milliseconds(100)
        try await screen.plays(to: begin)
        try await screen.hangs()
        pipeline.interrupt()
        pipeline.play()
        if !answers {
            let place = try #require(pipeline.leavingPlace)
            // One that does not say where it is keeps the next one for half a second.
            let gate = DispatchSemaphore(value: 0)
            pipeline.leavingPlace = {
                gate.wait()
                return place()
            }
            clock.advance(by: pipeline.limits.close)
            try await wait(while: pipeline.awaitingPlace.isEmpty)
            #expect(pipeline.state == .building)
            clock.advance(by: .milliseconds(500))
            try await wait(while: pipeline.build == nil)
            gate.signal()
            #expect(pipeline.place == nil && pipeline.placeIsOwedBy == nil)
        } else {
            clock.advance(by: pipeline.limits.close)
            try await wait(while: pipeline.build == nil)
            #expect(try #require(pipeline.place).position >= begin)
        }
        pipeline.stop()
        mh_stuck_sink_let_go(screen.newest.raw)
        clock.advance(by: pipeline.limits.drain)
        await withCheckedContinuation { done in pipeline.whenAtRest { done.resume() } }
        try await screen.isLetGo()
    }

    /// It waited behind the screen for good: nobody knew yet that it hangs.
    @Test(.timeLimit(.minutes(10))) @HostActor func keepsNoLoopFromItsNextRound() async throws {
        let screen = try await HangingScreen.film()
        let (pipeline, clock) = (screen.pipeline, screen.clock)
        try await screen.hangs()
        let begun = Recorder<Bool>()
        pipeline.nextRound = PipelineController.once { begun.record(true) }
        pipeline.worker.submit { [next = try #require(pipeline.nextRound)] in next() }
        clock.advance(by: MediaModeSwitch.patience)
        try await wait(while: begun.elements.isEmpty)
        pipeline.stop()
        await screen.isGivenUp()
        try await screen.isLetGo()
        #expect(begun.elements == [true])
    }
}
