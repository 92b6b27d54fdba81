import Foundation
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// What a user says of a pipeline while a reload has it in hand, or goes back.
@Suite(.timeLimit(.minutes(10))) struct ReloadWordTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    private static let broken = HostReloadTests.two.replacing(
        "  b: { launch: \"\(HostReloadTests.live())",
        with: "  b: { restart: never, launch: \"filesrc location=/nowhere ! fakesink")

    /// A reload that goes back because of `b`, and what a user does at a state of `b` on its way.
    @HostActor private func goesBack(
        _ bench: ReloadBench, _ config: String, at state: String, _ act: @escaping @HostActor (PipelineSet) -> Void
    ) async throws {
        var hasActed = false
        let unsubscribe = bench.host.events.subscribe { event in
            guard event.source == "b", event.payload["state"]?.string == state, !hasActed else { return }
            hasActed = true
            act(bench.host.pipelines)
        }
        defer { unsubscribe() }
        let report = try await bench.reload(config)
        #expect(report.result == .rolledBack && hasActed, "\(bench.log.elements)")
    }

    /// It had not run before, and so was left at rest: its user had been told that it starts.
    @Test(arguments: [("stopped", false), ("stopped", true), ("starting", false)])
    @HostActor func aStartDuringAReloadThatGoesBackIsNotLost(at state: String, hasEnded: Bool) async throws {
        // In front of `b`, so that it is let go before that begins.
        func version(_ more: String) -> String {
            hasEnded
                ? "  c: { launch: \"videotestsrc num-buffers=3 ! identity \(more) ! fakesink\" }\n"
                : "  c: { autostart: false, launch: \"\(HostReloadTests.live(more))\" }\n"
        }
        let before = "pipelines:\n"
        let bench = try ReloadBench(HostReloadTests.two.replacing(before, with: before + version("")))
        for name in ["a", "b"] { await bench.awaits(name, "playing") }
        if hasEnded { await bench.awaits("c", "finished") }
        var builds = 0
        try await goesBack(
            bench, Self.broken.replacing(before, with: before + version("! identity name=new")), at: state
        ) { pipelines in
            guard let pipeline = pipelines["c"] else { return }
            pipelines.startOver(pipeline)
            builds = bench.events.count { $0.source == "c" && $0.payload["state"]?.string == "starting" }
        }
        let pipeline = try #require(bench.host.pipelines["c"])
        #expect(!pipeline.description.elementNames.contains("new"))
        await bench.awaits("c", hasEnded ? "finished" : "playing")
        #expect(bench.events.count { $0.source == "c" && $0.payload["state"]?.string == "starting" } > builds)
        #expect(await bench.end() == .asked)
    }

    /// How it had ended was brought back, and with it that it is to be tried again.
    @Test @HostActor func aStopDuringAReloadThatGoesBackIsNotLost() async throws {
        let place = try TemporaryDirectory()
        let later = place.path("later")
        func camera(_ more: String) -> String {
            "  c: { launch: \"audiotestsrc is-live=true \(more) ! filesink location=\(later)/sound\", restart: never }\n"
        }
        let bench = try ReloadBench(HostReloadTests.two + camera(""))
        for (name, state) in [("a", "playing"), ("b", "playing"), ("c", "failed")] { await bench.awaits(name, state) }
        try await goesBack(bench, Self.broken + camera("! identity"), at: "stopped") { pipelines in
            if let pipeline = pipelines["c"] { pipelines.stop(pipeline) }
        }
        try FileManager.default.createDirectory(atPath: later, withIntermediateDirectories: true)
        await withCheckedContinuation { done in bench.host.pipelines.follow(.paused) { done.resume() } }
        await withCheckedContinuation { done in bench.host.pipelines.follow([]) { done.resume() } }
        #expect(bench.events.count { $0.source == "c" && $0.payload["state"]?.string == "starting" } == 1)
        #expect(await bench.end() == .asked)
    }

    /// One that went back left it playing, or played what its user had stopped.
    @Test @HostActor func whatStartsWithTheHostFromNowOnStartsWithAReloadThatIsApplied() async throws {
        func idle(_ autostart: Bool) -> String {
            "  c: { autostart: \(autostart), launch: \"\(HostReloadTests.live())\" }\n"
        }
        let bench = try ReloadBench(HostReloadTests.two + idle(false))
        for name in ["a", "b"] { await bench.awaits(name, "playing") }
        let pipeline = try #require(bench.host.pipelines["c"])
        #expect(try await bench.reload(Self.broken + idle(true)).result == .rolledBack)
        #expect(pipeline.condition == .stopped)
        #expect(try await bench.reload(HostReloadTests.two + idle(true)).isApplied)
        await bench.awaits("c", "playing")
        bench.host.pipelines.stop(pipeline)
        await withCheckedContinuation { done in pipeline.whenAtRest { done.resume() } }
        #expect(try await bench.reload(Self.broken + idle(false)).result == .rolledBack)
        #expect(pipeline.condition == .stopped)
        #expect(await bench.end() == .asked)
    }

    /// Its condition was all that was looked at: what its user had just stopped started by itself when the reload was applied.
    @Test(arguments: ["", "! identity"])
    @HostActor func whatItsUserStopsDuringAReloadIsNotStartedByAutostart(_ change: String) async throws {
        func idle(_ autostart: Bool, _ more: String) -> String {
            "pipelines:\n  c: { autostart: \(autostart), launch: \"\(HostReloadTests.live(more))\" }\n"
        }
        let bench = try ReloadBench(HostReloadTests.two.replacing("pipelines:\n", with: idle(false, "")))
        for name in ["a", "b"] { await bench.awaits(name, "playing") }
        let pipeline = try #require(bench.host.pipelines["c"])
        bench.host.pipelines.play(pipeline)
        await bench.awaits("c", "playing")
        var isStopped = false
        let unsubscribe = bench.host.events.subscribe { event in
            guard event.source == "b", event.payload["state"]?.string == "starting", !isStopped else { return }
            isStopped = true
            bench.host.pipelines.stop(pipeline)
        }
        defer { unsubscribe() }
        let report = try await bench.reload(
            HostReloadTests.two.replacing("pipelines:\n", with: idle(true, change))
                .replacing(
                    "  b: { launch: \"\(HostReloadTests.live())",
                    with: "  b: { launch: \"\(HostReloadTests.live("! identity"))"))
        #expect(report.isApplied && isStopped, "\(bench.log.elements)")
        await withCheckedContinuation { done in pipeline.whenAtRest { done.resume() } }
        #expect(pipeline.condition == .stopped)
        #expect(await bench.end() == .asked)
    }
}
