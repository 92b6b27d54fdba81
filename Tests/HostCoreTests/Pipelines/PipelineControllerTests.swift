import CGStreamer
import Foundation
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Real pipelines from test sources, driven through the controller.
@Suite struct PipelineControllerTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    @Test(.timeLimit(.minutes(10))) @HostActor func playsToItsEndAndSaysSo() async throws {
        let bench = PipelineBench("fakesrc num-buffers=5 ! fakesink name=end")
        try bench.pipeline.play()
        try await bench.reaches("finished")
        #expect(bench.states.first == "starting")
        #expect(bench.states.last == "finished")
        #expect(bench.firstBuffers == ["end"])
    }

    /// Where all processors are busy; a gap is heard.
    @Test(
        .timeLimit(.minutes(10)),
        .enabled(if: mh_thread_slice() != 0, "the scheduler knows no slices: Linux 6.12 or later does"))
    @HostActor func soundIsLetRunFirst() async throws {
        let bench = PipelineBench(
            "audiotestsrc num-buffers=5 ! queue ! fakesink name=heard videotestsrc num-buffers=5 ! queue ! fakesink name=seen"
        )
        let slices = ["heard": Recorder<UInt64>(), "seen": Recorder<UInt64>()]
        bench.onBuilt = { pipeline in
            for (name, recorder) in slices {
                _ = pipeline.element(named: name)?.pad(named: "sink")?.addProbe { _ in
                    recorder.record(mh_thread_slice())
                    return .pass
                }
            }
        }
        try bench.pipeline.play()
        try await bench.reaches("finished")
        #expect(slices["heard"]?.elements == Array(repeating: 100_000, count: 5))
        #expect(slices["seen"]?.elements.count == 5 && slices["seen"]?.elements.contains(100_000) == false)
    }

    @Test(.timeLimit(.minutes(10))) @HostActor func anElementsErrorIsTheFailure() async throws {
        let bench = PipelineBench("fakesrc ! identity name=bad error-after=3 ! fakesink")
        try bench.pipeline.play()
        try await bench.reaches("failed")
        #expect(try bench.pipeline.failure?.element == "bad")
        #expect(try bench.pipeline.failure?.code == "element-error")
    }

    @Test(.timeLimit(.minutes(10))) @HostActor func aPipelineThatNeverPrerollsStopsAllTheSame() async throws {
        let bench = PipelineBench("fakesrc ! valve drop=true ! fakesink")
        try bench.pipeline.play()
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
    }

    /// It was waited for without end: the pause never came about, and neither did a shut-down after it.
    @Test(.timeLimit(.minutes(10))) @HostActor func aPipelineThatNeverPrerollsComesToRestWhenItIsToPause() async throws
    {
        var limits = PipelineController.Limits()
        limits.pause = .milliseconds(50)
        let bench = PipelineBench("fakesrc ! valve drop=true ! fakesink", limits: limits)
        let controller = try bench.pipeline
        controller.play()
        controller.pause()
        await withCheckedContinuation { resumed in controller.whenAtRest { resumed.resume() } }
        #expect(controller.condition.rawValue == "stopped")
    }

    /// A player that comes back paused was stopped after the 3 s of a pause, where its network or its machine was slow.
    @Test(.timeLimit(.minutes(10))) @HostActor func whatBeginsPausedHasTheTimeOfItsStart() async throws {
        let clock = VirtualClock()
        let bench = PipelineBench("fakesrc ! valve drop=true ! fakesink name=end", clock: clock) {
            $0.startTimeout = .seconds(20)
        }
        let controller = try bench.pipeline
        controller.pause()
        try await wait(while: controller.machine.state != .changing(.paused))
        clock.advance(by: .seconds(19))
        #expect(controller.machine.state == .changing(.paused))
        clock.advance(by: .seconds(1))
        await withCheckedContinuation { resumed in controller.whenAtRest { resumed.resume() } }
        #expect(controller.condition.rawValue == "failed" && controller.lastFailure?.code == "start-timeout")
        // Somebody who waits for its pause is not kept for as long.
        controller.startOver()
        controller.pause()
        try await wait(while: controller.machine.state != .changing(.paused))
        clock.advance(by: .seconds(3))
        await withCheckedContinuation { resumed in controller.whenAtRest { resumed.resume() } }
        #expect(controller.condition.rawValue == "stopped" && controller.machine.hasMissedPause)
        controller.pause()
        try await wait(while: controller.machine.state != .changing(.paused))
        controller.pause()
        clock.advance(by: .seconds(3))
        await withCheckedContinuation { resumed in controller.whenAtRest { resumed.resume() } }
        #expect(controller.condition.rawValue == "stopped" && controller.machine.hasMissedPause)
    }

    /// An EOS that is sent while the pipeline is on its way back to PLAYING waits for the streaming thread with the lock that
    /// this change needs: the stop of a paused camera took its whole deadline, and its build was given up.
    @Test(.timeLimit(.minutes(10))) @HostActor func theEndOfAPausedLiveStreamArrives() async throws {
        for _ in 0..<50 {
            // No deadline passes on this clock.
            let bench = PipelineBench(
                "audiotestsrc is-live=true samplesperbuffer=441 ! audio/x-raw,rate=44100 ! fakesink",
                clock: VirtualClock())
            try bench.pipeline.play()
            try await bench.showsItsFirstBuffer()
            try bench.pipeline.pause()
            let controller = try bench.pipeline
            await withCheckedContinuation { resumed in controller.whenAtRest { resumed.resume() } }
            try bench.pipeline.stop()
            await withCheckedContinuation { resumed in controller.whenAtRest { resumed.resume() } }
            #expect(controller.condition.rawValue == "stopped")
        }
    }

    @Test(.timeLimit(.minutes(10))) @HostActor func aStreamThatIgnoresItsEndIsCutOff() async throws {
        // The valve swallows the EOS with everything else, so no sink ever sees it.
        var limits = PipelineController.Limits()
        limits.drain = .milliseconds(50)
        let bench = PipelineBench(
            "videotestsrc is-live=true ! tee name=t ! queue ! fakesink "
                + "t. ! queue ! valve drop=true drop-mode=drop-all ! fakesink async=false", limits: limits)
        try bench.pipeline.play()
        try await bench.reaches("playing")
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
    }

    /// A file that has begun while the pipeline was on its way to PLAYING was left without its index.
    @Test(.timeLimit(.minutes(10))) @HostActor func aRecordingThatHasJustBegunGetsItsEnd() async throws {
        let directory = try TemporaryDirectory()
        for round in 0..<10 {
            let path = directory.path("\(round).mov")
            // No deadline passes on this clock.
            let bench = PipelineBench(
                "videotestsrc is-live=true ! jpegenc ! qtmux ! filesink buffer-mode=unbuffered location=\(path)",
                clock: VirtualClock())
            let controller = try bench.pipeline
            controller.play()
            func size() -> Int { (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0 }
            try await wait(while: size() == 0)
            controller.stop()
            await withCheckedContinuation { resumed in controller.whenAtRest { resumed.resume() } }
            #expect(controller.condition.rawValue == "stopped")
            #expect(bench.warnings == [])
            let file = try #require(FileManager.default.contents(atPath: path))
            #expect(file.range(of: Data("moov".utf8)) != nil, "round \(round)")
        }
    }

    /// A host that stood still for longer (SIGSTOP, a machine that is moved) cut its files off as it came back.
    @Test(.timeLimit(.minutes(10))) @HostActor func whoStoodStillHasItsTimeFromThenOn() async throws {
        let clock = VirtualClock()
        let drop = PropertyPath(element: "v", property: "drop")
        let bench = PipelineBench(
            "videotestsrc is-live=true ! valve name=v drop-mode=drop-all ! fakesink", clock: clock
        ) { $0.settable = [drop] }
        let controller = try bench.pipeline
        controller.play()
        try await bench.reaches("playing")
        try await bench.showsItsFirstBuffer()
        _ = try await controller.set(drop, to: "true")
        controller.stop()
        #expect(controller.machine.state == .draining)
        clock.stall(for: .seconds(60))
        clock.advance(by: .milliseconds(2999))
        #expect(controller.machine.state == .draining)
        clock.advance(by: .milliseconds(1))
        await withCheckedContinuation { resumed in controller.whenAtRest { resumed.resume() } }
        #expect(controller.condition.rawValue == "stopped")
    }

    @Test(.timeLimit(.minutes(10))) @HostActor func onlyWhatIsSettableIsSetAndLaterBuildsGetIt() async throws {
        let path = PropertyPath(element: "v", property: "pattern")
        let bench = PipelineBench("videotestsrc is-live=true name=v ! fakesink") { $0.settable = [path] }
        let pipeline = try bench.pipeline
        pipeline.play()
        try await bench.reaches("playing")
        #expect(try await pipeline.set(path, to: "ball").value == "ball")
        await #expect(throws: ControlError.self) { try await pipeline.set(path, to: "bal") }
        let other = PropertyPath(element: "v", property: "is-live")
        do throws(ControlError) {
            _ = try await pipeline.set(other, to: "false")
            Issue.record("what the config does not list was set")
        } catch {
            #expect(error.code == .denied)
        }
        #expect(try await pipeline.value(of: other) == "true")
        pipeline.stop()
        try await bench.reaches("stopped")
        pipeline.play()
        try await bench.reaches("playing")
        #expect(try await pipeline.value(of: path) == "ball")
        pipeline.stop()
        try await bench.reaches("stopped")
    }

    /// Sets of a property take turns. Where one hangs for ever those of the next build must not wait for it.
    @Test(.timeLimit(.minutes(10))) @HostActor func aSetThatHangsIsForgottenWithItsBuild() async throws {
        let path = PropertyPath(element: "v", property: "pattern")
        let bench = PipelineBench("videotestsrc is-live=true name=v ! fakesink") { $0.settable = [path] }
        let pipeline = try bench.pipeline
        pipeline.play()
        try await bench.reaches("playing")
        let turns = pipeline.turns(of: path)
        let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            _ = turns.take {
                begun.signal()
                end.wait()
            }
        }
        try await blocking { begun.wait() }
        pipeline.stop()
        try await bench.reaches("stopped")
        pipeline.play()
        try await bench.reaches("playing")
        #expect(try await pipeline.set(path, to: "ball").value == "ball")
        end.signal()
        pipeline.stop()
        try await bench.reaches("stopped")
    }

    @Test(.timeLimit(.minutes(10))) @HostActor func propertiesWinOverTheLaunchText() async throws {
        let span = SourceSpan(file: SourceFile(path: "p.yaml", text: "x"), range: 0..<1)
        let path = PropertyPath(element: "v", property: "num-buffers")
        let bench = PipelineBench("videotestsrc name=v num-buffers=500 ! fakesink") {
            $0.properties = [PropertySetting(path, to: "3", span: span)]
        }
        let listener = TapListener()
        _ = try bench.pipeline.attach(listener, at: try ElementPad("v.src"))
        try bench.pipeline.play()
        try await bench.reaches("finished")
        #expect(listener.seen.elements.filter { if case .buffer = $0 { true } else { false } }.count == 3)

        let wrong = PipelineBench("videotestsrc name=v ! fakesink") {
            $0.properties = [PropertySetting(path, to: "many", span: span)]
        }
        try wrong.pipeline.play()
        try await wrong.changes(to: "failed")
        #expect(try wrong.pipeline.failure?.message == "properties: \"num-buffers\" cannot be set to \"many\"")
    }
}
