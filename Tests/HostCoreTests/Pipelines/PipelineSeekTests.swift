import Dispatch
import GStreamerKit
import HostTestKit
import TestElements
import Testing

@testable import HostCore

/// What a seek's caller is told.
@Suite(.timeLimit(.minutes(20))) struct PipelineSeekTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
        try #require(mh_cranked_clock_begin() != 0)
    }

    /// It was answered as if it were there.
    @Test @HostActor func aSeekWhoseMediaNeverComeIsNoSuccess() async throws {
        var limits = PipelineController.Limits()
        limits.arrival = .milliseconds(200)
        let bench = PipelineBench(
            "videotestsrc name=source ! video/x-raw,width=16,height=16,framerate=50/1 ! identity name=gate "
                + "! fakesink name=eyes sync=true", limits: limits)
        let controller = try bench.pipeline
        controller.play()
        try await bench.reaches("playing")
        controller.pause()
        try await bench.reaches("paused")
        let gate = try #require(controller.build?.pipeline.element(named: "gate"))
        let closed = try #require(gate.pad(named: "src")).addProbe { data in
            if case .buffer(_) = data { return .drop }
            return .pass
        }
        #expect(closed != nil)
        let error = await #expect(throws: ControlError.self) {
            try await controller.seek(to: .seconds(1), rate: nil, isAccurate: true)
        }
        #expect(error?.code == .timeout && error?.code.status == 504)
        #expect(error?.message.contains("nothing has come from there within 200ms") == true, "\(error?.message ?? "")")
        // It goes on when its media come, and so does the next one.
        closed?.cancel()
        // A busy machine may be late a second time.
        var arrived = false
        while !arrived {
            do {
                try await controller.seek(to: .seconds(2), rate: nil, isAccurate: true)
                arrived = true
            } catch {
                try #require(error.code == .timeout)
            }
        }
        #expect(try await controller.playback()["position_ns"] == 2_000_000_000)
        controller.stop()
        try await bench.reaches("stopped")
    }

    /// Each kept a thread until something came: a slider by which somebody looks for a place took hundreds.
    @Test @HostActor func whoeverIsOvertakenOnTheWayWaitsNoLonger() async throws {
        let bench = PipelineBench(Self.tone, clock: VirtualClock())
        let controller = try bench.pipeline
        controller.play()
        try await bench.reaches("playing")
        let build = try #require(controller.build)
        let closed = try #require(build.pipeline.element(named: "a")?.pad(named: "src")).addProbe { data in
            if case .buffer(_) = data { return .drop }
            return .pass
        }
        let answers = Recorder<String>()
        let last = 2 * Int64(PipelineController.mostSeeks)
        for number in 1...last {
            let epoch = controller.mediaTime.epoch
            Task { @HostActor in
                do throws(ControlError) {
                    try await controller.seek(to: .seconds(number), rate: nil, isAccurate: true)
                    answers.record("\(number): there")
                } catch {
                    answers.record("\(number): \(error.code.name): \(error.message)")
                }
            }
            // It is on its way, and nothing comes.
            try await wait(while: controller.mediaTime.epoch == epoch || build.seeksUnderWay > 0)
        }
        try await wait(while: answers.elements.count < last - 1)
        #expect(
            answers.elements.allSatisfy {
                $0.hasSuffix(": busy: pipeline p did not go there: a later seek was asked for meanwhile")
            })
        try #require(closed).cancel()
        try await wait(while: answers.elements.count < last)
        #expect(answers.elements.last == "\(last): there")
        // What came first there is of a time long after it: its source ran ahead of all that was thrown away.
        try await controller.seek(to: .seconds(1), rate: nil, isAccurate: true)
        controller.stop()
        try await bench.reaches("stopped")
    }

    /// Its sink stayed in PAUSED about once in 500 times, and the end of the stream did not pass it.
    @Test @HostActor func aSeekInTheMidstOfAStopLosesNoEnd() async throws {
        var campaign = Campaign(rounds: 100)
        for round in 1...campaign.rounds {
            // A drain that waits for its deadline waits for ever: no time passes.
            let bench = PipelineBench(
                "audiotestsrc samplesperbuffer=441 ! audio/x-raw,rate=44100 ! fakesink sync=true crankedclock",
                clock: VirtualClock())
            let controller = try bench.pipeline
            controller.play()
            try await bench.reaches("playing")
            controller.pause()
            if Bool.random(using: &campaign) { try await bench.reaches("paused") }
            for _ in 0..<Int.random(in: 0...40, using: &campaign) { await Task.yield() }
            controller.stop()
            for _ in 0..<Int.random(in: 0...40, using: &campaign) { await Task.yield() }
            let place = ClockTime.milliseconds(10 * Int64.random(in: 0...10_000, using: &campaign))
            var isAnswered = false
            Task { @HostActor in
                // That it is stopped meanwhile is an answer, too.
                try? await controller.seek(to: place, rate: nil, isAccurate: true)
                isAnswered = true
            }
            let limit = ContinuousClock.now + .seconds(60)
            try await wait(while: !(controller.isAtRest && isAnswered) && ContinuousClock.now < limit)
            try #require(controller.isAtRest && isAnswered, "round \(round), \(campaign.note): \(controller.state)")
        }
    }

    private static let tone =
        "audiotestsrc name=a samplesperbuffer=441 ! audio/x-raw,rate=44100 ! fakesink sync=true"

    /// It plays, and a tap of it is in a call that lasts until `Hang.end`.
    @HostActor private func heldByATap(_ clock: VirtualClock) async throws -> (PipelineBench, Hang) {
        let bench = PipelineBench(Self.tone, clock: clock)
        let hang = Hang()
        _ = try bench.pipeline.attach(TapListener { hang.mayHang() }, at: ElementPad("a.src"))
        try bench.pipeline.play()
        try await bench.reaches("playing")
        try await hang.begin()
        return (bench, hang)
    }

    /// A tap that does not come back from its call kept each, and when it did they went one after the other, in any order: also those
    /// whose users had been told that it did not go there.
    @Test @HostActor func aSeekThatIsOverOrOvertakenIsNotCarriedOutLater() async throws {
        let clock = VirtualClock()
        let (bench, hang) = try await heldByATap(clock)
        let controller = try bench.pipeline
        let build = try #require(controller.build)
        var answers: [Int64: String] = [:]
        func seeks(to place: Int64) async throws {
            let before = build.seeksUnderWay
            Task { @HostActor in
                do throws(ControlError) {
                    try await controller.seek(to: .seconds(place), rate: nil, isAccurate: true)
                    answers[place] = "there"
                } catch {
                    answers[place] = "\(error.code.name): \(error.message)"
                }
            }
            try await wait(while: build.seeksUnderWay == before)
        }
        try await seeks(to: 1)
        clock.advance(by: PipelineController.playbackDeadline)
        try await wait(while: answers[1] == nil)
        #expect(answers[1] == "busy: pipeline p is playing, and did not go to another place within 5s")
        try await seeks(to: 20)
        try await seeks(to: 30)
        hang.end()
        try await wait(while: answers.count < 3 || build.seeksUnderWay > 0)
        #expect(answers[20] == "busy: pipeline p did not go there: a later seek was asked for meanwhile")
        #expect(answers[30] == "there")
        // One epoch for each place that it went to.
        #expect(controller.mediaTime.epoch == 2)
        let position = try await controller.playback()["position_ns"]?.int ?? 0
        #expect(position >= 30_000_000_000)
        controller.stop()
        try await bench.reaches("stopped")
    }

    /// When the last of them is over nothing is carried out, and each try more is refused at once: it would keep a thread.
    @Test @HostActor func seeksThatWaitAreGivenUpAndBounded() async throws {
        let clock = VirtualClock()
        let (bench, hang) = try await heldByATap(clock)
        let controller = try bench.pipeline
        let build = try #require(controller.build)
        var errors: [ControlError] = []
        for number in 1...PipelineController.mostSeeks {
            Task { @HostActor in
                do throws(ControlError) {
                    try await controller.seek(to: .seconds(1), rate: nil, isAccurate: true)
                } catch {
                    errors.append(error)
                }
            }
            try await wait(while: build.seeksUnderWay < number)
        }
        let refused = await #expect(throws: ControlError.self) {
            try await controller.seek(to: .seconds(1), rate: nil, isAccurate: true)
        }
        #expect(refused?.code == .busy && refused?.message.contains("8 seeks are under way") == true)
        clock.advance(by: PipelineController.playbackDeadline)
        try await wait(while: errors.count < PipelineController.mostSeeks)
        #expect(errors.allSatisfy { $0.code == .busy })
        hang.end()
        try await wait(while: build.seeksUnderWay > 0)
        #expect(controller.mediaTime.epoch == 1)
        controller.stop()
        try await bench.reaches("stopped")
    }

    /// Each question kept a thread.
    @Test @HostActor func elementsThatDoNotAnswerAreNotAskedAnyMore() async throws {
        let bench = PipelineBench(Self.tone, clock: VirtualClock())
        let controller = try bench.pipeline
        controller.play()
        try await bench.reaches("playing")
        let build = try #require(controller.build)
        let asked = Recorder<Void>()
        let valve = DispatchSemaphore(value: 0)
        for _ in 1...OpenQuestions.most {
            controller.workers.submit { [questions = build.questions] in
                _ = questions.ask {
                    asked.record(())
                    valve.wait()
                }
            }
        }
        try await wait(while: asked.elements.count < OpenQuestions.most)
        let error = await #expect(throws: ControlError.self) { try await controller.playback() }
        #expect(
            error?.code == .busy && error?.message.contains("8 questions to its elements have no answer yet") == true)
        #expect(await controller.details()["position_ns"] == .null)
        for _ in 1...OpenQuestions.most { valve.signal() }
        while (try? await controller.playback()) == nil {
            try Task.checkCancellation()
            await Task.yield()
        }
        controller.stop()
        try await bench.reaches("stopped")
    }

    /// The pipeline had finished before anybody looked whether it was there: an error by chance.
    @Test(arguments: [EndOfStreamPolicy.stop, .restart])
    @HostActor func whoSeeksToTheEndIsThereWhenItIsPlayedOut(_ policy: EndOfStreamPolicy) async throws {
        let bench = PipelineBench("audiotestsrc num-buffers=3 ! fakesink") { $0.onEOS = policy }
        let controller = try bench.pipeline
        var builds: [PipelineBuild] = []
        bench.onBuilt = { _ in if let build = controller.build { builds.append(build) } }
        controller.play()
        try await wait(while: policy == .stop ? !controller.hasEnded : builds.count < 2)
        try await controller.arrive(try #require(builds.first))
        controller.stop()
        await withCheckedContinuation { done in controller.whenAtRest { done.resume() } }
    }

    @Test @HostActor func whoSeeksInABuildThatFailsIsNotThere() async throws {
        let bench = PipelineBench(Self.tone) { $0.restart = nil }
        let controller = try bench.pipeline
        controller.play()
        try await bench.reaches("playing")
        let build = try #require(controller.build)
        controller.feed(.error(PipelineFailure(code: "broken", message: "as a test wants it")))
        let error = await #expect(throws: ControlError.self) { try await controller.arrive(build) }
        #expect(error?.code == .failed)
        await withCheckedContinuation { done in controller.whenAtRest { done.resume() } }
    }

    /// A build that comes to rest goes to where it is to begin by itself. Whoever sends it elsewhere before it has was sent back, and
    /// the same media time came twice.
    @Test @HostActor func aSeekIsNotUndoneByTheOneThatABuildBeginsWith() async throws {
        let bench = PipelineBench(
            "audiotestsrc name=source samplesperbuffer=441 ! audio/x-raw,rate=44100 ! fakesink sync=true"
        ) { $0.onEOS = .loop }
        let controller = try bench.pipeline
        let line = MediaLine("p", "source")
        _ = try controller.attach(line, at: ElementPad(element: "source", pad: "src"))
        // What it begins with waits behind this.
        let valve = DispatchSemaphore(value: 0)
        bench.onState = { if $0.condition == .paused { $0.worker.submit { valve.wait() } } }
        controller.pause()
        try await bench.reaches("paused")
        bench.onState = nil
        do {
            defer { valve.signal() }
            try await controller.seek(to: .seconds(2), rate: nil, isAccurate: true)
        }
        await withCheckedContinuation { continuation in controller.worker.submit { continuation.resume() } }
        #expect(try await controller.playback()["position_ns"] == 2_000_000_000)
        #expect(line.count > 0)
        controller.play()
        let count = line.count
        try await wait(while: line.count < count + 5)
        #expect(line.faults.isEmpty, "\(line.faults)")
        controller.stop()
        try await bench.reaches("stopped")
    }
}
