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

    private static let live =
        "videotestsrc is-live=true name=v ! video/x-raw,width=16,height=16,framerate=100/1 ! fakesink"

    /// Writes down what passes a tap.
    private final class Listener: TapClient {
        enum Seen: Sendable, Equatable {
            case epoch(UInt32)
            case format(UInt32)
            case buffer(pts: ClockTime?, epoch: UInt32)
            case end
            case refused(String)
            case detached
        }

        let seen = Recorder<Seen>()

        func epoch(_ epoch: TapEpoch) { seen.record(.epoch(epoch.number)) }
        func format(id: UInt32, caps: Caps) { seen.record(.format(id)) }
        func buffer(_ buffer: borrowing TapBuffer) {
            seen.record(.buffer(pts: buffer.pts, epoch: buffer.epoch))
            flowing.continuation.finish()
        }
        func gap(pts: ClockTime, duration: ClockTime?) {}
        func endOfStream() { seen.record(.end) }
        func refused(_ failure: PipelineFailure) { seen.record(.refused(failure.message)) }
        func detached() {
            seen.record(.detached)
            ended.continuation.finish()
        }

        private let flowing = AsyncStream.makeStream(of: Never.self)

        /// Returns when the first buffer was seen.
        func hasBuffer() async { for await _ in flowing.stream {} }

        private let ended = AsyncStream.makeStream(of: Never.self)

        /// Returns when `detached` was called.
        func isDetached() async { for await _ in ended.stream {} }
    }

    /// A controller and the notices it gave.
    @HostActor
    private final class Bench {
        private(set) var controller: PipelineController?
        private(set) var states: [String] = []
        private(set) var firstBuffers: [String] = []
        private var waiting: [(state: String, continuation: CheckedContinuation<Void, Never>)] = []

        init(
            _ launch: String, warmUp: WarmUp? = nil, limits: PipelineController.Limits = .init(),
            clock: any HostClock = SystemClock(), _ configure: (inout PipelineDescription) -> Void = { _ in }
        ) {
            var problems: [Diagnostic] = []
            var description = PipelineDescription(
                name: "p", launch: LaunchParser.parse(LaunchParserTests.text(launch), diagnostics: &problems),
                warmUp: warmUp, location: SourceSpan(file: SourceFile(path: "p.yaml", text: launch), range: 0..<1))
            // A machine that is busy, or a sanitizer, makes nothing late here but what a test says.
            description.startTimeout = nil
            description.stallTimeout = nil
            configure(&description)
            controller = PipelineController(
                description, clock: clock, workers: WorkerPool(), limits: limits
            ) { [weak self] controller, notice in self?.follow(controller, notice) }
        }

        var pipeline: PipelineController {
            get throws { try #require(controller) }
        }

        /// Returns when the state is reached, at once where it is already.
        func reaches(_ state: String) async throws {
            if try pipeline.condition.rawValue == state { return }
            await withCheckedContinuation { waiting.append((state, $0)) }
        }

        /// Returns when it next comes into the state.
        func changes(to state: String) async {
            await withCheckedContinuation { waiting.append((state, $0)) }
        }

        /// What is waited for cannot come any more.
        private func giveUp(_ controller: PipelineController) {
            for waiter in waiting {
                Issue.record("awaited \(waiter.state), but it failed: \(controller.reason.text)")
                waiter.continuation.resume()
            }
            waiting = []
        }

        private func follow(_ controller: PipelineController, _ notice: PipelineController.Notice) {
            switch notice {
            case .stateChanged(let condition, _):
                states.append(condition.rawValue)
                let met = waiting.filter { $0.state == condition.rawValue }
                waiting.removeAll { $0.state == condition.rawValue }
                for waiter in met { waiter.continuation.resume() }
                if condition == .failed, controller.hasEnded { giveUp(controller) }
            case .firstBuffer(let element, _): firstBuffers.append(element)
            case .warning, .ended: break
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) @HostActor func playsToItsEndAndSaysSo() async throws {
        let bench = Bench("fakesrc num-buffers=5 ! fakesink name=end")
        try bench.pipeline.play()
        try await bench.reaches("finished")
        #expect(bench.states.first == "starting")
        #expect(bench.states.last == "finished")
        #expect(bench.firstBuffers == ["end"])
    }

    @Test(.timeLimit(.minutes(5))) @HostActor func aTapStaysOverARestartAndTimeStepsOneFrame() async throws {
        let bench = Bench(
            "videotestsrc is-live=true name=v ! video/x-raw,width=16,height=16,framerate=100/1 ! fakesink")
        let listener = Listener()
        let pad = try ElementPad("v.src")
        let tap = try bench.pipeline.attach(listener, at: pad)
        for _ in 0..<2 {
            try bench.pipeline.play()
            try await bench.reaches("playing")
            try bench.pipeline.stop()
            try await bench.reaches("stopped")
        }
        try bench.pipeline.detach(tap)
        let seen = listener.seen.elements
        #expect(seen.prefix(2) == [.epoch(1), .format(1)])
        #expect(seen.last == .detached)
        #expect(seen.filter { $0 == .end }.count == 2)
        let times = seen.compactMap { if case .buffer(let pts, _) = $0 { pts } else { nil } }
        #expect(times.first == .zero)
        for (earlier, later) in zip(times, times.dropFirst()) { #expect(later - earlier == .milliseconds(10)) }
        // The same caps after a restart keep their number, and are told again after the epoch.
        let second = try #require(seen.firstIndex(of: .epoch(2)))
        #expect(seen[second + 1] == .format(1))
    }

    @Test(.timeLimit(.minutes(5))) @HostActor func aTapDetachedWhileMediaFlowsEndsWithDetached() async throws {
        let bench = Bench(Self.live)
        let listener = Listener()
        let tap = try bench.pipeline.attach(listener, at: try ElementPad("v.src"))
        try bench.pipeline.play()
        try await bench.reaches("playing")
        try bench.pipeline.detach(tap)
        await listener.isDetached()
        try bench.pipeline.detach(tap)
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
        #expect(listener.seen.elements.last == .detached)
        #expect(listener.seen.elements.filter { $0 == .detached }.count == 1)
    }

    /// The events that tell format and segment have passed: a tap of a running pipeline had neither, and got no buffer.
    @Test(.timeLimit(.minutes(5))) @HostActor func aTapAttachedWhileMediaFlowsKnowsFormatAndTime() async throws {
        let bench = Bench(Self.live)
        try bench.pipeline.play()
        try await bench.reaches("playing")
        let listener = Listener()
        let tap = try bench.pipeline.attach(listener, at: try ElementPad("v.src"))
        await listener.hasBuffer()
        try bench.pipeline.detach(tap)
        await listener.isDetached()
        let seen = listener.seen.elements
        #expect(seen.prefix(3) == [.epoch(1), .format(1), .buffer(pts: .zero, epoch: 1)])
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
    }

    @Test(.timeLimit(.minutes(5))) @HostActor func warmUpFramesReachNobody() async throws {
        let bench = Bench(
            "videotestsrc num-buffers=10 name=v ! video/x-raw,width=16,height=16,framerate=25/1 ! identity name=i ! fakesink",
            warmUp: WarmUp(frames: 4, at: try ElementPad("v.src")))
        let listener = Listener()
        _ = try bench.pipeline.attach(listener, at: try ElementPad("i.src"))
        try bench.pipeline.play()
        try await bench.reaches("finished")
        let count = listener.seen.elements.filter { if case .buffer = $0 { true } else { false } }.count
        #expect(count == 6)
    }

    @Test(.timeLimit(.minutes(5))) @HostActor func anElementsErrorIsTheFailure() async throws {
        let bench = Bench("fakesrc ! identity name=bad error-after=3 ! fakesink")
        try bench.pipeline.play()
        try await bench.reaches("failed")
        #expect(try bench.pipeline.failure?.element == "bad")
        #expect(try bench.pipeline.failure?.code == "element-error")
    }

    @Test(.timeLimit(.minutes(5))) @HostActor func aPipelineThatNeverPrerollsStopsAllTheSame() async throws {
        let bench = Bench("fakesrc ! valve drop=true ! fakesink")
        try bench.pipeline.play()
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
    }

    /// It was waited for without end: the pause never came about, and neither did a shut-down after it.
    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    @HostActor func aPipelineThatNeverPrerollsComesToRestWhenItIsToPause(fromStart: Bool) async throws {
        var limits = PipelineController.Limits()
        limits.pause = .milliseconds(50)
        let bench = Bench("fakesrc ! valve drop=true ! fakesink", limits: limits)
        if !fromStart { try bench.pipeline.play() }
        try bench.pipeline.pause()
        let controller = try bench.pipeline
        await withCheckedContinuation { resumed in controller.whenAtRest { resumed.resume() } }
        #expect(controller.condition.rawValue == "stopped")
    }

    @Test(.timeLimit(.minutes(5))) @HostActor func aStreamThatIgnoresItsEndIsCutOff() async throws {
        // The valve swallows the EOS with everything else, so no sink ever sees it.
        var limits = PipelineController.Limits()
        limits.drain = .milliseconds(50)
        let bench = Bench(
            "videotestsrc is-live=true ! tee name=t ! queue ! fakesink "
                + "t. ! queue ! valve drop=true drop-mode=drop-all ! fakesink async=false", limits: limits)
        try bench.pipeline.play()
        try await bench.reaches("playing")
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
    }

    @Test @HostActor func anUnknownElementIsRefusedWithTheNearest() throws {
        let bench = Bench("videotestsrc name=camera ! fakesink")
        let controller = try bench.pipeline
        #expect(throws: PipelineFailure.self) {
            try controller.attach(Listener(), at: ElementPad(element: "camra", pad: "src"))
        }
        do throws(PipelineFailure) {
            _ = try controller.attach(Listener(), at: ElementPad(element: "camra", pad: "src"))
        } catch {
            #expect(error.message.contains("did you mean \"camera\"?"))
        }
    }

    @Test(.timeLimit(.minutes(5))) @HostActor func aPadThatDoesNotExistRefusesTheTapAndNamesThePads() async throws {
        let bench = Bench("videotestsrc name=camera ! fakesink")
        let listener = Listener()
        _ = try bench.pipeline.attach(listener, at: ElementPad(element: "camera", pad: "sorce"))
        try bench.pipeline.play()
        try await bench.reaches("playing")
        guard case .refused(let message)? = listener.seen.elements.first else {
            Issue.record("not refused: \(listener.seen.elements)")
            return
        }
        #expect(message.contains("it has src"))
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
    }

    @Test(.timeLimit(.minutes(5))) @HostActor func pausedAndPlayedAgainStepsOneFrame() async throws {
        let bench = Bench(
            "videotestsrc is-live=true name=v ! video/x-raw,width=16,height=16,framerate=100/1 ! fakesink")
        let listener = Listener()
        _ = try bench.pipeline.attach(listener, at: try ElementPad("v.src"))
        try bench.pipeline.play()
        try await bench.reaches("playing")
        for _ in 0..<3 {
            try bench.pipeline.pause()
            try await bench.reaches("paused")
            try bench.pipeline.play()
            try await bench.reaches("playing")
        }
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
        let times = listener.seen.elements.compactMap { if case .buffer(let pts, _) = $0 { pts } else { nil } }
        for (earlier, later) in zip(times, times.dropFirst()) { #expect(later > earlier) }
    }

    // MARK: - Coming back

    private static func quick(limit: Int = 1_000_000) -> RestartPolicy {
        var policy = RestartPolicy()
        policy.delay = .milliseconds(1)
        policy.backoff = 1
        policy.limit = limit
        return policy
    }

    @Test(.timeLimit(.minutes(5))) @HostActor func anErrorIsRecoveredFromByAnewBuild() async throws {
        let bench = Bench("fakesrc is-live=true ! identity name=bad error-after=3 ! fakesink") {
            $0.restart = Self.quick()
        }
        let pipeline = try bench.pipeline
        try bench.pipeline.play()
        while pipeline.restarts < 5 { await Task.yield() }
        #expect(bench.states.contains("recovering"))
        #expect(pipeline.lastFailure?.element == "bad" && pipeline.lastFailure?.domain == "gst-core-error-quark")
        pipeline.stop()
        await withCheckedContinuation { resumed in pipeline.whenAtRest { resumed.resume() } }
        #expect(pipeline.condition == .stopped)
    }

    @Test(.timeLimit(.minutes(5))) @HostActor func aCrashLoopIsLeftAlone() async throws {
        let bench = Bench("fakesrc ! identity name=bad error-after=1 ! fakesink") { $0.restart = Self.quick(limit: 3) }
        try bench.pipeline.play()
        await bench.changes(to: "failed")
        let pipeline = try bench.pipeline
        #expect(pipeline.restarts == 3 && !pipeline.hasEnded)
        #expect(pipeline.reason.text.contains("more than 3 attempts"))
    }

    @Test(.timeLimit(.minutes(5))) @HostActor func silenceIsAStallAndFlowEndsIt() async throws {
        let clock = VirtualClock()
        let bench = Bench("videotestsrc is-live=true ! valve name=tap ! fakesink", clock: clock) {
            $0.stallTimeout = .seconds(10)
        }
        try bench.pipeline.play()
        try await bench.reaches("playing")
        let valve = try #require(try bench.pipeline.build?.pipeline.element(named: "tap"))
        valve.set("drop", to: "true")
        clock.advance(by: .seconds(11))
        try await bench.reaches("stalled")
        #expect(try bench.pipeline.reason.text.contains("fakesink0"))
        valve.set("drop", to: "false")
        try await bench.reaches("playing")
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
    }

    @Test(.timeLimit(.minutes(5))) @HostActor func aStallOfEverythingIsRecoveredFrom() async throws {
        let clock = VirtualClock()
        let bench = Bench("videotestsrc ! valve name=tap ! fakesink sync=true", clock: clock) {
            $0.stallTimeout = .seconds(10)
            $0.restart = Self.quick()
        }
        let pipeline = try bench.pipeline
        pipeline.play()
        try await bench.reaches("playing")
        try #require(pipeline.build?.pipeline.element(named: "tap")).set("drop", to: "true")
        clock.advance(by: .seconds(11))
        #expect(bench.states.suffix(2) == ["stalled", "recovering"])
        while pipeline.restarts == 0 {
            await Task.yield()
            clock.advance(by: .milliseconds(1))
        }
        try await bench.reaches("playing")
        #expect(pipeline.restarts == 1)
        pipeline.stop()
        try await bench.reaches("stopped")
    }

    @Test(.timeLimit(.minutes(5))) @HostActor func aPipelineThatNeverPrerollsFailsAndNamesWhatItWaitsFor() async throws
    {
        let clock = VirtualClock()
        let bench = Bench("fakesrc ! valve drop=true ! fakesink name=end", clock: clock) {
            $0.startTimeout = .milliseconds(100)
        }
        try bench.pipeline.play()
        while try bench.pipeline.build?.pipeline.unsettledElements != ["end"] { await Task.yield() }
        clock.advance(by: .milliseconds(100))
        try await bench.reaches("failed")
        let failure = try #require(try bench.pipeline.lastFailure)
        #expect(failure.code == "start-timeout" && failure.element == "end")
        #expect(failure.message == "it did not start within 100ms; waiting for end")
    }

    @Test(.timeLimit(.minutes(5))) @HostActor func onlyWhatIsSettableIsSetAndLaterBuildsGetIt() async throws {
        let path = PropertyPath(element: "v", property: "pattern")
        let bench = Bench("videotestsrc is-live=true name=v ! fakesink") { $0.settable = [path] }
        let pipeline = try bench.pipeline
        pipeline.play()
        try await bench.reaches("playing")
        #expect(try await pipeline.set(path, to: "ball") == "ball")
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

    @Test(.timeLimit(.minutes(5))) @HostActor func propertiesWinOverTheLaunchText() async throws {
        let span = SourceSpan(file: SourceFile(path: "p.yaml", text: "x"), range: 0..<1)
        let path = PropertyPath(element: "v", property: "num-buffers")
        let bench = Bench("videotestsrc name=v num-buffers=500 ! fakesink") {
            $0.properties = [PropertySetting(path, to: "3", span: span)]
        }
        let listener = Listener()
        _ = try bench.pipeline.attach(listener, at: try ElementPad("v.src"))
        try bench.pipeline.play()
        try await bench.reaches("finished")
        #expect(listener.seen.elements.filter { if case .buffer = $0 { true } else { false } }.count == 3)

        let wrong = Bench("videotestsrc name=v ! fakesink") {
            $0.properties = [PropertySetting(path, to: "many", span: span)]
        }
        try wrong.pipeline.play()
        await wrong.changes(to: "failed")
        #expect(try wrong.pipeline.failure?.message == "properties: \"num-buffers\" cannot be set to \"many\"")
    }
}
