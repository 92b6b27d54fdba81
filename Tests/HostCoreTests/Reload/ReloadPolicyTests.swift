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

    private static func pipeline(_ more: String = "") -> String { "b: { launch: \"\(HostReloadTests.live(more))\" }" }

    /// Has the plugin fail in the moment in which pipeline `b` comes to that state.
    @HostActor private func failAtOnce(_ bench: ReloadBench, at state: String) -> @HostActor () -> Void {
        bench.host.events.subscribe { [host = bench.host] event in
            guard event.source == "b", event.name == "pipeline.state", event.payload["state"]?.string == state,
                let instance = host.plugins["it"]
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
        #expect(bench.host.isEnding == (outcome == .hostEnds), "\(bench.log.elements)")
        if outcome != .hostEnds {
            clock.advance(by: .seconds(2))
            #expect((bench.host.plugins["it"]?.state == .active) == (outcome == .back))
        }
        #expect(await bench.end() == (outcome == .hostEnds ? .failed : .asked))
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
