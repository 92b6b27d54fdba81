import Dispatch
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Plugins that fail while a reload is under way, on a virtual clock.
@Suite(.timeLimit(.minutes(10))) struct ReloadPolicyTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    enum Outcome: Sendable { case away, back, hostEnds }

    private static let broken = "b: { restart: never, launch: \"filesrc location=/nowhere ! fakesink\" }"

    private func lines(_ bench: ReloadBench, _ text: String) -> Int {
        bench.log.elements.count { $0.hasPrefix("plugin it: ") && $0.hasSuffix(text) }
    }

    private static func pipeline(_ more: String = "") -> String { "b: { launch: \"\(HostReloadTests.live(more))\" }" }

    /// Has the plugin fail in the moment in which pipeline `b` comes to that state.
    @HostActor private func failAtOnce(
        _ bench: ReloadBench, at state: String, where isMeant: @escaping (PipelineController) -> Bool = { _ in true }
    ) -> @HostActor () -> Void {
        bench.host.events.subscribe { [host = bench.host] event in
            guard event.source == "b", event.name == "pipeline.state", event.payload["state"]?.string == state,
                let instance = host.plugins["it"], host.pipelines["b"].map(isMeant) == true
            else { return }
            host.instanceFailed(instance, PluginFailure("had enough"))
        }
    }

    /// What the old file said was done: the host ended for a plugin that the new one disables.
    @Test(arguments: [
        ("stop-host", "disable", [], Outcome.away), ("stop-host", "stop-host", ["enabled: false"], .away),
        ("restart", "disable", [], .away), ("disable", "restart", [], .back), ("stop-host", "restart", [], .back),
        ("disable", "stop-host", [], .hostEnds),
    ])
    @HostActor func whatFailsMeanwhileGoesByTheNewFile(
        _ old: String, _ new: String, _ keys: [String], _ outcome: Outcome
    ) async throws {
        let clock = VirtualClock()
        let before = PluginRestartsTests.config(old, pipelines: [Self.pipeline()])
        let bench = try ReloadBench(before, clock: clock, plugins: [TestProducts.directory])
        await bench.awaits("b", "playing")
        let unsubscribe = failAtOnce(bench, at: "stopped")
        let report = try await bench.reload(
            PluginRestartsTests.config(new, keys: keys, pipelines: [Self.pipeline("! identity")]))
        unsubscribe()
        #expect(report.isApplied, "\(report.problems)")
        #expect(bench.names(of: "plugin.failed").count == 1)
        #expect(lines(bench, "disabled (policy: disable)") == (new == "disable" ? 1 : 0), "\(bench.log.elements)")
        #expect(bench.host.isEnding == (outcome == .hostEnds), "\(bench.log.elements)")
        if outcome != .hostEnds {
            clock.advance(by: .seconds(2))
            #expect((bench.host.plugins["it"]?.state == .active) == (outcome == .back))
        }
        #expect(await bench.end() == (outcome == .hostEnds ? .failed : .asked))
    }

    /// "disabled" or "restarts in 1s" was the last word of one that runs; and a restart that waited swallowed its next failure.
    @Test(arguments: ["disable", "restart"])
    @HostActor func whatFailsUnderAReloadThatGoesBackComesBackWithItAlone(_ policy: String) async throws {
        let config = PluginRestartsTests.config(policy)
        let bench = try ReloadBench(config, clock: VirtualClock(), plugins: [TestProducts.directory])
        let plugins = bench.host.plugins
        let unsubscribe = failAtOnce(bench, at: "starting")
        let report = try await bench.reload(PluginRestartsTests.config(policy, pipelines: [Self.pipeline()]))
        unsubscribe()
        #expect(report.result == .rolledBack && plugins["it"]?.state == .active, "\(bench.log.elements)")
        #expect(lines(bench, "(policy: \(policy))") == 0)
        bench.host.instanceFailed(try #require(plugins["it"]), PluginFailure("had enough"))
        #expect(lines(bench, "(policy: \(policy))") == 1, "\(bench.log.elements)")
        #expect(await bench.end() == .asked)
    }

    /// It was looked for in the file before, which does not have it.
    @Test @HostActor func theFailureOfOneThatIsNewIsToldWithItsPolicy() async throws {
        let config = PluginRestartsTests.config("restart", pipelines: [Self.pipeline()])
        let without = PluginRestartsTests.config("restart").split(separator: "plugins:")[0]
        let bench = try ReloadBench(String(without), clock: VirtualClock(), plugins: [TestProducts.directory])
        let unsubscribe = failAtOnce(bench, at: "starting")
        let report = try await bench.reload(config)
        unsubscribe()
        #expect(report.result == .rolledBack, "\(bench.log.elements)")
        let failures = bench.events.filter { $0.name == "plugin.failed" }
        #expect(failures.map { $0.payload["policy"] } == ["restart"])
        #expect(await bench.end() == .asked)
    }

    /// Why it did not run was forgotten, though all was said to be as before, and no later policy brought it back.
    @Test @HostActor func whyAPluginDoesNotRunIsNotForgottenWhereAReloadFails() async throws {
        let clock = VirtualClock()
        let before = PluginRestartsTests.config("disable", pipelines: [Self.pipeline()])
        let bench = try ReloadBench(before, clock: clock, plugins: [TestProducts.directory])
        let plugins = bench.host.plugins
        await bench.awaits("b", "playing")
        bench.host.instanceFailed(try #require(plugins["it"]), PluginFailure("had enough"))
        try await wait(while: plugins.isLeaving("it"))
        let report = try await bench.reload(
            PluginRestartsTests.config("disable", pipelines: [Self.broken])
                .replacing("window: 1s", with: "window: 2s"))
        #expect(report.result == .rolledBack, "\(bench.log.elements)")
        #expect(plugins["it"] == nil && plugins.failures["it"]?.message == "had enough")
        #expect(lines(bench, "disabled (policy: disable)") == 1)
        #expect(try await bench.reload(before.replacing("policy: disable", with: "policy: restart")).isApplied)
        clock.advance(by: .seconds(2))
        #expect(plugins["it"]?.state == .active)
        #expect(await bench.end() == .asked)
    }

    /// All was said to be as before, without it.
    @Test @HostActor func whatFailsOnTheWayBackIsSaidToBeLost() async throws {
        let before = PluginRestartsTests.config("disable", pipelines: [Self.pipeline()])
        let bench = try ReloadBench(before, clock: VirtualClock(), plugins: [TestProducts.directory])
        await bench.awaits("b", "playing")
        let unsubscribe = failAtOnce(bench, at: "starting") { $0.description.elementNames.contains("v") }
        let report = try await bench.reload(PluginRestartsTests.config("disable", pipelines: [Self.broken]))
        unsubscribe()
        #expect(report.result == .broken, "\(bench.log.elements)")
        #expect(report.problems.last?.message == "had enough" && report.problems.last?.span != nil)
        #expect(bench.host.plugins.failures["it"]?.message == "had enough")
        #expect(lines(bench, "disabled (policy: disable)") == 1)
        #expect(await bench.end() == .asked)
    }

    /// The old file's instance came back beside the one that had failed: two lives in one state directory.
    @Test @HostActor func aReloadThatGoesBackWaitsForTheOneThatFailed() async throws {
        let bench = try ReloadBench(
            PluginRestartsTests.config("disable"), clock: VirtualClock(), plugins: [TestProducts.directory])
        let plugins = bench.host.plugins
        let failed = try #require(plugins["it"])
        let stuck = DispatchSemaphore(value: 0)
        #expect(failed.context.submit { stuck.wait() })
        let unsubscribe = failAtOnce(bench, at: "starting")
        try bench.write(PluginRestartsTests.config("disable", pipelines: [Self.pipeline()]))
        bench.host.reloader.request()
        await bench.awaits { $0.source == "b" && $0.payload["state"]?.string == "stopped" }
        // What comes of that does so in a few turns.
        for _ in 0..<100 { await Task.yield() }
        #expect(plugins["it"] == nil && bench.host.reloader.isApplying)
        stuck.signal()
        await bench.awaits { $0.name == "config.reload-failed" }
        unsubscribe()
        #expect(plugins["it"]?.state == .active && plugins["it"] !== failed, "\(bench.log.elements)")
        #expect(!plugins.isLeaving("it"))
        #expect(await bench.end() == .asked)
    }
}
