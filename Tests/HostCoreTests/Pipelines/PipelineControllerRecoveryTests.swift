import Dispatch
import GStreamerKit
import HostTestKit
import Locking
import Testing

@testable import HostCore

/// Real pipelines that break or fall silent, and come back.
@Suite struct PipelineControllerRecoveryTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    private static func quick(limit: Int = 1_000_000) -> RestartPolicy {
        var policy = RestartPolicy()
        policy.delay = .milliseconds(1)
        policy.backoff = 1
        policy.limit = limit
        return policy
    }

    @Test(.timeLimit(.minutes(10))) @HostActor func anErrorIsRecoveredFromByAnewBuild() async throws {
        let bench = PipelineBench("fakesrc is-live=true ! identity name=bad error-after=3 ! fakesink") {
            $0.restart = Self.quick()
        }
        let pipeline = try bench.pipeline
        try bench.pipeline.play()
        try await wait(while: pipeline.restarts < 5)
        #expect(bench.states.contains("recovering"))
        #expect(pipeline.lastFailure?.element == "bad" && pipeline.lastFailure?.domain == "gst-core-error-quark")
        pipeline.stop()
        await withCheckedContinuation { resumed in pipeline.whenAtRest { resumed.resume() } }
        #expect(pipeline.condition == .stopped)
    }

    @Test(.timeLimit(.minutes(10))) @HostActor func aCrashLoopIsLeftAlone() async throws {
        let bench = PipelineBench("fakesrc ! identity name=bad error-after=1 ! fakesink") {
            $0.restart = Self.quick(limit: 3)
        }
        try bench.pipeline.play()
        try await bench.changes(to: "failed")
        let pipeline = try bench.pipeline
        #expect(pipeline.restarts == 3 && !pipeline.hasEnded)
        #expect(pipeline.reason.text.contains("more than 3 attempts"))
    }

    @Test(.timeLimit(.minutes(10))) @HostActor func silenceIsAStallAndFlowEndsIt() async throws {
        let clock = VirtualClock()
        let bench = PipelineBench("videotestsrc is-live=true ! valve name=tap ! fakesink", clock: clock) {
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

    @Test(.timeLimit(.minutes(10))) @HostActor func aStallOfEverythingIsRecoveredFrom() async throws {
        let clock = VirtualClock()
        let bench = PipelineBench("videotestsrc ! valve name=tap ! fakesink sync=true", clock: clock) {
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
            try Task.checkCancellation()
            await Task.yield()
            clock.advance(by: .milliseconds(1))
        }
        try await bench.reaches("playing")
        #expect(pipeline.restarts == 1)
        pipeline.stop()
        try await bench.reaches("stopped")
    }

    @Test(.timeLimit(.minutes(10))) @HostActor func aPipelineThatNeverPrerollsFailsAndNamesWhatItWaitsFor() async throws
    {
        let clock = VirtualClock()
        let bench = PipelineBench("fakesrc ! valve drop=true ! fakesink name=end", clock: clock) {
            $0.startTimeout = .milliseconds(100)
        }
        try bench.pipeline.play()
        // The sink is asked first, and the source last: then all but the sink are there.
        try await wait(
            while: bench.pipeline.build?.pipeline.structure.elements.first(where: { $0.name == "fakesrc0" })?.state
                != .paused)
        clock.advance(by: .milliseconds(100))
        try await bench.reaches("failed")
        let failure = try #require(try bench.pipeline.lastFailure)
        #expect(failure.code == "start-timeout" && failure.element == "end")
        #expect(failure.message == "it did not start within 100ms; waiting for end")
    }

    /// A build that hung and came to rest at last took the taps of the one after it off their pads: what it had recorded stood still,
    /// and the pipeline said that it played.
    @Test(.timeLimit(.minutes(10))) @HostActor func aBuildThatHungLeavesTheTapsOfTheNextOneAlone() async throws {
        var limits = PipelineController.Limits()
        limits.close = .milliseconds(50)
        let bench = PipelineBench(
            "videotestsrc name=v is-live=true ! video/x-raw,width=16,height=16,framerate=100/1 ! identity name=gate"
                + " ! fakesink", limits: limits
        ) { $0.restart = Self.quick() }
        let listener = TapListener()
        let controller = try bench.pipeline
        _ = try controller.attach(listener, at: try ElementPad("v.src"))
        // Not before it plays: what hangs in its start never gets there.
        let hang = Hang()
        var first: Pipeline?
        bench.onBuilt = { pipeline in
            guard first == nil else { return }
            first = pipeline
            _ = pipeline.element(named: "gate")?.pad(named: "src")?.addProbe { data in
                if case .buffer(_) = data { hang.mayHang() }
                return .pass
            }
        }
        controller.play()
        try await bench.reaches("playing")
        try await hang.begin()
        controller.feed(.error(PipelineFailure(code: "broken", message: "as a test wants it")))
        try await wait(while: !listener.seen.elements.contains(where: { $0.epoch == 2 }))
        hang.end()
        try await wait(while: first?.state().current != .null)
        // What follows from that is done on this thread, a turn or two later.
        for _ in 0..<3 { await withCheckedContinuation { turn in HostActor.enqueue { turn.resume() } } }
        let before = listener.seen.elements.count
        try await wait(while: listener.seen.elements.count < before + 20)
        #expect(bench.warnings.contains { $0.contains("did not come to rest in time") }, "\(bench.warnings)")
        // None of it lost, none of another build between: each is 10 ms behind the one before.
        let times = listener.seen.elements.compactMap(\.time)
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { abs($0.nanoseconds - 10_000_000) <= 1 }, "\(steps)")
        controller.stop()
        try await bench.reaches("stopped")
    }

    /// The control thread waited for it, and with it the whole host.
    @Test(.timeLimit(.minutes(10))) @HostActor func aCallThatDoesNotReturnKeepsNobodyButItself() async throws {
        var limits = PipelineController.Limits()
        limits.close = .milliseconds(50)
        let bench = PipelineBench(
            "videotestsrc name=v is-live=true ! video/x-raw,width=16,height=16,framerate=100/1 ! fakesink",
            limits: limits
        ) { $0.restart = Self.quick() }
        let controller = try bench.pipeline
        let hang = Hang()
        let (stuck, other) = (TapListener { hang.mayHang() }, TapListener())
        let tap = try await bench.plays(heardBy: [(stuck, "v.src"), (other, "fakesink0.sink")])[0]
        try await hang.begin()
        controller.feed(.error(PipelineFailure(code: "broken", message: "as a test wants it")))
        try await wait(while: !other.seen.elements.contains(where: { $0.epoch == 2 }))
        #expect(stuck.seen.elements.last == .missed && !stuck.seen.elements.contains { $0.epoch == 2 })
        // And once more, with the call still under way: it is told once.
        controller.stop()
        try await bench.reaches("stopped")
        controller.play()
        try await wait(while: !other.seen.elements.contains(where: { $0.epoch == 3 }))
        #expect(stuck.seen.elements.filter { $0 == .missed }.count == 1)
        hang.end()
        let before = stuck.seen.elements.count
        try await wait(while: stuck.seen.elements.count < before + 20)
        // It goes on in the build that plays, with format and time, behind what it had.
        let later = stuck.seen.elements.drop { $0 != .missed }.dropFirst()
        #expect(later.prefix(2) == [.epoch(3), .format(1)], "\(later)")
        let times = stuck.seen.elements.compactMap(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(times)")
        controller.detach(tap)
        await stuck.isDetached()
        controller.stop()
        try await bench.reaches("stopped")
    }

    /// What listens again does not hear what is before the place that a build begins at.
    @Test(.timeLimit(.minutes(10))) @HostActor func aCallThatReturnsWhileABuildSeeksWaitsForItsPlace() async throws {
        var limits = PipelineController.Limits()
        limits.close = .milliseconds(50)
        let bench = PipelineBench(
            "audiotestsrc name=a samplesperbuffer=441 ! audio/x-raw,rate=44100 ! fakesink sync=true", limits: limits
        ) {
            $0.restart = Self.quick()
            $0.onEOS = .loop
        }
        let controller = try bench.pipeline
        let hang = Hang()
        let (stuck, other) = (TapListener { hang.mayHang() }, TapListener())
        try await bench.plays(heardBy: [(stuck, "a.src"), (other, "fakesink0.sink")])
        try await hang.begin()
        // It comes back when the next build is there, and nothing of it flows yet.
        var builds = 0
        bench.onBuilt = { _ in
            builds += 1
            if builds == 1 { hang.end() }
        }
        controller.feed(.error(PipelineFailure(code: "broken", message: "as a test wants it")))
        try await wait(while: !stuck.seen.elements.contains(where: { $0.epoch == 2 }))
        let count = stuck.seen.elements.compactMap(\.time).count
        try await wait(while: stuck.seen.elements.compactMap(\.time).count < count + 30)
        let times = stuck.seen.elements.compactMap(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(times)")
        controller.stop()
        try await bench.reaches("stopped")
    }

    /// A seek waits for the call of a tap, its build is given up meanwhile: it leaves the next one alone, late as it is.
    @Test(.timeLimit(.minutes(10))) @HostActor func aSeekThatWaitedForACallLeavesTheNextBuildAlone() async throws {
        var limits = PipelineController.Limits()
        limits.close = .milliseconds(50)
        let bench = PipelineBench(
            "audiotestsrc name=a samplesperbuffer=441 ! audio/x-raw,rate=44100 ! fakesink sync=true", limits: limits
        ) { $0.restart = Self.quick() }
        let controller = try bench.pipeline
        let hang = Hang()
        let (stuck, other) = (TapListener { hang.mayHang() }, TapListener())
        try await bench.plays(heardBy: [(stuck, "a.src"), (other, "fakesink0.sink")])
        try await hang.begin()
        let first = try #require(controller.build)
        var isAnswered = false
        Task { @HostActor in
            try? await controller.seek(to: .seconds(1), rate: nil, isAccurate: true)
            isAnswered = true
        }
        try await wait(while: first.seeksUnderWay == 0)
        controller.feed(.error(PipelineFailure(code: "broken", message: "as a test wants it")))
        try await wait(while: !other.seen.elements.contains(where: { $0.epoch == 2 }))
        hang.end()
        try await wait(while: !isAnswered || first.seeksUnderWay > 0)
        // Both hear the second build, and nobody began another epoch in it.
        let count = other.seen.elements.count
        try await wait(
            while: other.seen.elements.count < count + 20 || !stuck.seen.elements.contains(where: { $0.epoch == 2 }))
        #expect(controller.mediaTime.epoch == 2)
        controller.stop()
        try await bench.reaches("stopped")
    }

    /// Who comes while a build is on its way to another place hears nothing of the old one, and fixes no time by it; those that wait for
    /// a hung call of another play on meanwhile.
    @Test(.timeLimit(.minutes(10))) @HostActor func whoComesDuringASeekHearsTheNewPlaceAlone() async throws {
        let bench = PipelineBench(
            "audiotestsrc name=a samplesperbuffer=441 ! audio/x-raw,rate=44100 ! identity name=i sync=true"
                + " ! queue leaky=downstream ! fakesink")
        let controller = try bench.pipeline
        let hang = Hang()
        let (stuck, other) = (TapListener { hang.mayHang() }, TapListener())
        try await bench.plays(heardBy: [(stuck, "fakesink0.sink"), (other, "i.src")])
        try await hang.begin()
        let build = try #require(controller.build)
        var isAnswered = false
        Task { @HostActor in
            try? await controller.seek(to: .seconds(100), rate: nil, isAccurate: true)
            isAnswered = true
        }
        try await wait(while: build.seeksUnderWay == 0)
        let late = TapListener()
        _ = try controller.attach(late, at: try ElementPad("a.src"))
        // The queue before the hung sink leaks: the others hear on.
        let before = other.seen.elements.count
        try await wait(while: other.seen.elements.count < before + 10)
        #expect(late.seen.elements.isEmpty)
        hang.end()
        try await wait(while: !isAnswered)
        try await wait(while: late.seen.elements.count < 20)
        #expect(late.seen.elements.allSatisfy { $0.epoch == nil || $0.epoch == 2 }, "\(late.seen.elements)")
        for listener in [late, other, stuck] {
            let times = listener.seen.elements.compactMap(\.time)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(times)")
        }
        // The line goes on where it was, for all of them.
        let steps = late.seen.elements.compactMap(\.time)
        #expect(zip(steps, steps.dropFirst()).allSatisfy { abs(($1 - $0).nanoseconds - 10_000_000) <= 1 }, "\(steps)")
        #expect(other.seen.elements.contains { $0.epoch == 2 })
        controller.stop()
        try await bench.reaches("stopped")
    }
}

extension PipelineBench {
    /// Has it play, with a listener at each of these pads. Returns their taps.
    @HostActor @discardableResult
    fileprivate func plays(heardBy listeners: [(TapListener, at: String)]) async throws -> [Tap] {
        let controller = try pipeline
        let taps = try listeners.map { try controller.attach($0, at: try ElementPad($1)) }
        controller.play()
        try await reaches("playing")
        return taps
    }
}

/// A streaming thread that stands in the midst of a buffer, once, from when a test says until it says so again.
final class Hang: Sendable {
    private let isWanted = Locked(false)
    private let stands = Recorder<Void>()
    private let over = DispatchSemaphore(value: 0)

    /// - Thread: stream.
    func mayHang() {
        let isNow = isWanted.withLock { wanted in
            defer { wanted = false }
            return wanted
        }
        guard isNow else { return }
        stands.record(())
        over.wait()
    }

    /// Returns when it stands.
    @HostActor func begin() async throws {
        isWanted.withLock { $0 = true }
        try await wait(while: stands.elements.isEmpty)
    }

    func end() { over.signal() }
}

extension TapListener.Seen {
    /// Of a buffer.
    fileprivate var epoch: UInt32? {
        if case .buffer(_, let epoch) = self { epoch } else { nil }
    }

    fileprivate var time: ClockTime? {
        if case .buffer(let pts, _) = self { pts } else { nil }
    }
}
