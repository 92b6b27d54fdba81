import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Plugins that fail at run time, on a virtual clock, with the real replay buffer at a pipeline that stands still.
@Suite(.timeLimit(.minutes(10))) struct PluginRestartsTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    /// - Parameters:
    ///   - keys: more of the plugin, each on a line of its own.
    ///   - pipelines: more of those.
    static func config(_ policy: String, keys: [String] = [], pipelines: [String] = []) -> String {
        let camera = "camera: { launch: videotestsrc ! x264enc ! h264parse name=encoded ! fakesink, autostart: false }"
        let plugin = [
            "module: ReplayBuffer", "video: camera/encoded.src", "window: 1s", "memory: 1MiB", "policy: \(policy)",
        ]
        return """
            pipelines:
              \(([camera] + pipelines).joined(separator: "\n  "))
            plugins:
              it:
                \((plugin + keys).joined(separator: "\n    "))

            """
    }

    @HostActor private func bench(_ policy: String, _ clock: VirtualClock) throws -> ReloadBench {
        try ReloadBench(Self.config(policy), clock: clock, plugins: [TestProducts.directory])
    }

    /// Fails the instance and waits until nothing is left of it; that costs no time on the virtual clock.
    @HostActor private func fail(_ bench: ReloadBench) async throws {
        let instance = try #require(bench.host.plugins["it"])
        bench.host.instanceFailed(instance, PluginFailure("had enough"))
        try await wait(while: bench.host.plugins.isLeaving("it"))
    }

    @Test @HostActor func eachRestartWaitsLongerAndACrashLoopIsLeftAlone() async throws {
        let clock = VirtualClock()
        let bench = try bench("restart", clock)
        let plugins = bench.host.plugins
        // 1 s, 2 s, 4 s, 8 s, 16 s, each with a tenth of chance.
        for (count, seconds) in [1, 2, 4, 8, 16].enumerated() {
            try await fail(bench)
            #expect(plugins.failures["it"]?.message == "had enough")
            clock.advance(by: .milliseconds(Int64(seconds * 890)))
            #expect(plugins["it"] == nil, "after \(seconds) s")
            clock.advance(by: .milliseconds(Int64(seconds * 220)))
            #expect(plugins["it"]?.state == .active, "after \(seconds) s: \(bench.log.elements)")
            #expect(bench.host.restarts.counts["it"] == count + 1)
            #expect(plugins.failures["it"] == nil)
        }
        // The sixth in a minute.
        try await fail(bench)
        clock.advance(by: .seconds(299))
        #expect(plugins["it"] == nil)
        clock.advance(by: .seconds(2))
        #expect(plugins["it"]?.state == .active)
        #expect(bench.names(of: "plugin.").filter { $0 == "plugin.restarted" }.count == 6)
        #expect(bench.log.elements.contains { $0.contains("failed more than 5 times in 1min: left alone for 5min") })
        #expect(await bench.end() == .asked)
    }

    @Test @HostActor func aReloadThatTakesThePluginAwayEndsItsRestart() async throws {
        let clock = VirtualClock()
        let bench = try bench("restart", clock)
        try await fail(bench)
        let without = Self.config("restart").split(separator: "plugins:")[0]
        let report = try await bench.reload(String(without))
        #expect(report.isApplied, "\(report.problems)")
        clock.advance(by: .seconds(10))
        #expect(bench.host.plugins.instances.isEmpty && bench.host.restarts.counts["it"] == nil)
        #expect(await bench.end() == .asked)
    }

    /// It was begun all the same when its time came.
    @Test @HostActor func aReloadThatDisablesThePluginEndsItsRestart() async throws {
        let clock = VirtualClock()
        let bench = try bench("restart", clock)
        try await fail(bench)
        let report = try await bench.reload(Self.config("restart", keys: ["enabled: false"]))
        #expect(report.isApplied, "\(report.problems)")
        clock.advance(by: .seconds(10))
        #expect(bench.host.plugins.instances.isEmpty && bench.host.restarts.counts["it"] == nil)
        #expect(bench.host.plugins.failures.isEmpty)
        #expect(await bench.end() == .asked)
    }

    @Test @HostActor func theNewPolicyOfAReloadCounts() async throws {
        let clock = VirtualClock()
        let bench = try bench("disable", clock)
        let before = bench.host.plugins["it"]
        let report = try await bench.reload(Self.config("restart"))
        #expect(report.isApplied, "\(report.problems)")
        #expect(bench.host.plugins["it"] === before, "a policy makes no new instance")
        #expect(report.summary.hasSuffix("plugins: adjusted it"), "\(report.summary)")
        try await fail(bench)
        clock.advance(by: .seconds(2))
        #expect(bench.host.plugins["it"]?.state == .active)
        #expect(await bench.end() == .asked)
    }

    /// A word of failure that was under way when somebody disabled it brought it back, or ended the host.
    @Test(arguments: ["restart", "stop-host"])
    @HostActor func whatAPluginThatIsDisabledStillSaysIsNobodysFailure(_ policy: String) async throws {
        let clock = VirtualClock()
        let bench = try bench(policy, clock)
        let instance = try #require(bench.host.plugins["it"])
        async let disabled = bench.host.disable(plugin: "it", saving: false)
        try await wait(while: bench.host.plugins["it"] != nil)
        instance.fail(PluginFailure("had enough"))
        _ = try await disabled
        clock.advance(by: .seconds(3600))
        #expect(bench.host.plugins["it"] == nil && bench.host.plugins.failures.isEmpty && !bench.host.isEnding)
        #expect(bench.log.elements.contains { $0.contains("had enough") })
        #expect(await bench.end() == .asked)
    }

    @Test @HostActor func disabledStaysAway() async throws {
        let clock = VirtualClock()
        let bench = try bench("disable", clock)
        try await fail(bench)
        clock.advance(by: .seconds(3600))
        #expect(bench.host.plugins["it"] == nil)
        #expect(await bench.end() == .asked)
    }

    /// Nothing is begun any more once the host ends.
    @Test @HostActor func theEndOfTheHostEndsRestarts() async throws {
        let clock = VirtualClock()
        let bench = try bench("restart", clock)
        try await fail(bench)
        #expect(await bench.end() == .asked)
        clock.advance(by: .seconds(10))
        #expect(bench.host.plugins.instances.isEmpty)
    }

    @Test @HostActor func stopHostEndsTheHostAsFailed() async throws {
        let bench = try bench("stop-host", VirtualClock())
        try await fail(bench)
        #expect(await bench.end() == .failed)
    }
}
