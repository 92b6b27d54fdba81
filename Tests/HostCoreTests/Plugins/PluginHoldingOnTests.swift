import Dispatch
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Plugins whose work does not come back when they are to end, on a virtual clock.
@Suite(.timeLimit(.minutes(10))) struct PluginHoldingOnTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    @HostActor private func bench(_ config: String, _ clock: VirtualClock) throws -> ReloadBench {
        try ReloadBench(config, clock: clock, plugins: [TestProducts.directory])
    }

    /// Until the semaphore says so.
    @HostActor private func holdOn(_ name: String, _ bench: ReloadBench) throws -> DispatchSemaphore {
        let stuck = DispatchSemaphore(value: 0)
        #expect(try #require(bench.host.plugins[name]).context.submit { stuck.wait() })
        return stuck
    }

    private func count(_ bench: ReloadBench, _ text: String) -> Int {
        bench.log.elements.count { $0.hasSuffix(text) }
    }

    private func isLogged(_ bench: ReloadBench, _ text: String) -> Bool { count(bench, text) > 0 }

    /// Two plugins, `it` and `other`.
    private static func two() throws -> String {
        let config = PluginRestartsTests.config("disable")
        return try config + #require(config.split(separator: "plugins:\n").last).replacing("  it:", with: "  other:")
    }

    /// Nobody was named, and its restart, which had been said, did not come.
    @Test @HostActor func aFailedOneIsNamedAndItsRestartIsSaidToWait() async throws {
        let clock = VirtualClock()
        let bench = try bench(PluginRestartsTests.config("restart"), clock)
        let plugins = bench.host.plugins
        let stuck = try holdOn("it", bench)
        bench.host.instanceFailed(try #require(plugins["it"]), PluginFailure("had enough"))
        clock.advance(by: PluginSet.endDeadline)
        #expect(isLogged(bench, "these plugins did not let go in time: it"))
        #expect(isLogged(bench, "plugin it: warning: its restart waits until it has let go of everything"))
        clock.advance(by: .seconds(60))
        #expect(plugins["it"] == nil)
        stuck.signal()
        try await wait(while: plugins.isLeaving("it"))
        clock.advance(by: .seconds(2))
        #expect(plugins["it"]?.state == .active)
        #expect(await bench.end() == .asked)
    }

    /// The first was not named but the second, and both still when somebody asked long after who keeps the host.
    @Test @HostActor func eachOfTwoEndsNamesItsOwnAndForgetsThem() async throws {
        let clock = VirtualClock()
        let bench = try bench(Self.two(), clock)
        var held: [DispatchSemaphore] = []
        async let first = bench.host.disable(plugin: "it", saving: false)
        async let second = bench.host.disable(plugin: "other", saving: false)
        for name in ["it", "other"] { held.append(try holdOn(name, bench)) }
        try await wait(while: !bench.host.plugins.isLeaving("it"))
        try await wait(while: !bench.host.plugins.isLeaving("other"))
        clock.advance(by: PluginSet.endDeadline)
        _ = try await (first, second)
        for name in ["it", "other"] { #expect(isLogged(bench, "these plugins did not let go in time: \(name)")) }
        #expect(bench.host.stillBusy == "nothing that is known")
        let plugins = bench.host.plugins
        for stuck in held { stuck.signal() }
        for name in ["it", "other"] { try await wait(while: plugins.isLeaving(name)) }
        #expect(await bench.end() == .asked)
    }

    /// Its work came back to nobody, and it was never destroyed.
    @Test @HostActor func whoComesBackAfterTheHostIsDestroyed() async throws {
        let clock = VirtualClock()
        var bench: ReloadBench? = try bench(PluginRestartsTests.config("disable"), clock)
        let stuck = try holdOn("it", #require(bench))
        weak let instance = bench?.host.plugins["it"]
        weak let host = bench?.host
        bench?.host.shutDown()
        try await wait(while: instance?.state == .active)
        clock.advance(by: PluginSet.endDeadline)
        #expect(await bench?.end() == .asked)
        bench = nil
        try await wait(while: host != nil)
        let context = try #require(instance).context
        #expect(!context.isGone)
        stuck.signal()
        try await wait(while: instance != nil)
        #expect(context.isGone)
    }

    /// The restart of the one before came beside it, or it waited for that one's cool-down.
    @Test @HostActor func aReloadEndsTheWaitForARestart() async throws {
        let clock = VirtualClock()
        let bench = try bench(PluginRestartsTests.config("restart"), clock)
        let plugins = bench.host.plugins
        bench.host.instanceFailed(try #require(plugins["it"]), PluginFailure("had enough"))
        try await wait(while: plugins.isLeaving("it"))
        // Begun by a reload before its delay is over, it fails, and holds on.
        let config = PluginRestartsTests.config("restart").replacing("window: 1s", with: "window: 2s")
        let report = try await bench.reload(config)
        #expect(report.isApplied, "\(report.problems)")
        let stuck = try holdOn("it", bench)
        bench.host.instanceFailed(try #require(plugins["it"]), PluginFailure("had enough"))
        clock.advance(by: .seconds(60))
        #expect(plugins["it"] == nil && plugins.isLeaving("it"))
        stuck.signal()
        try await wait(while: plugins.isLeaving("it"))
        clock.advance(by: .seconds(2))
        #expect(plugins["it"]?.state == .active)
        #expect(await bench.end() == .asked)
    }

    /// Each reload waited for it once more, its pipelines stopped.
    @Test @HostActor func whoWasNamedIsNotAwaitedAgain() async throws {
        let clock = VirtualClock()
        let bench = try bench(PluginRestartsTests.config("disable"), clock)
        let plugins = bench.host.plugins
        let stuck = try holdOn("it", bench)
        bench.host.instanceFailed(try #require(plugins["it"]), PluginFailure("had enough"))
        var isDone = false
        plugins.awaitGone({ $0 == "it" }) { isDone = true }
        #expect(!isDone)
        clock.advance(by: PluginSet.endDeadline)
        #expect(isDone && plugins.isHeld("it"))
        isDone = false
        plugins.awaitGone({ $0 == "it" }) { isDone = true }
        #expect(isDone)
        stuck.signal()
        try await wait(while: plugins.isLeaving("it"))
        #expect(!plugins.isHeld("it"))
        #expect(await bench.end() == .asked)
    }

    /// Each wait named it, and a reload that began to wait later did so for longer; the host's end did both once more.
    @Test @HostActor func whoHoldsOnIsNamedOnceAndKeepsNobodyThen() async throws {
        let clock = VirtualClock()
        let bench = try bench(PluginRestartsTests.config("restart"), clock)
        let plugins = bench.host.plugins
        let stuck = try holdOn("it", bench)
        bench.host.instanceFailed(try #require(plugins["it"]), PluginFailure("had enough"))
        clock.advance(by: .milliseconds(500))
        var isDone = false
        plugins.awaitGone({ $0 == "it" }) { isDone = true }
        clock.advance(by: PluginSet.endDeadline - .milliseconds(501))
        #expect(!isDone)
        clock.advance(by: .milliseconds(1))
        #expect(isDone)
        clock.advance(by: .seconds(3600))
        #expect(await bench.end() == .asked)
        for line in ["these plugins did not let go in time: it", "its restart waits until it has let go of everything"]
        {
            #expect(count(bench, line) == 1, "\(bench.log.elements)")
        }
        #expect(plugins.isHeld("it"))
        stuck.signal()
        try await wait(while: plugins.isLeaving("it"))
    }

    /// It returned at once, and who went on by that met the plugin's work.
    @Test @HostActor func aDisableReturnsWhenAlsoOneThatHasFailedHasLetGo() async throws {
        let bench = try bench(PluginRestartsTests.config("disable"), VirtualClock())
        let host = bench.host
        let stuck = try holdOn("it", bench)
        host.instanceFailed(try #require(host.plugins["it"]), PluginFailure("had enough"))
        let returned = Recorder<Bool>()
        for _ in 0..<2 {
            HostActor.task {
                _ = try? await host.disable(plugin: "it", saving: false)
                returned.record(!host.plugins.isLeaving("it"))
            }
        }
        try await wait(while: !host.disabledPlugins.contains("it"))
        // What comes of that does so in a few turns.
        for _ in 0..<100 { await Task.yield() }
        #expect(returned.elements.isEmpty)
        stuck.signal()
        try await wait(while: returned.elements.count < 2)
        #expect(returned.elements == [true, true])
        #expect(await bench.end() == .asked)
    }

    /// It was told as a failure and said to be disabled, and waited for once more.
    @Test @HostActor func whatAPluginSaysWhileTheHostEndsItIsNobodysFailure() async throws {
        let bench = try bench(PluginRestartsTests.config("disable"), VirtualClock())
        let instance = try #require(bench.host.plugins["it"])
        let stuck = try holdOn("it", bench)
        bench.host.shutDown()
        try await wait(while: instance.state == .active)
        instance.fail(PluginFailure("had enough"))
        #expect(isLogged(bench, "had enough") && !isLogged(bench, "disabled (policy: disable)"))
        #expect(bench.host.plugins.failures.isEmpty && bench.names(of: "plugin.failed").isEmpty)
        stuck.signal()
        #expect(await bench.end() == .asked)
    }

    /// The one that was destroyed already was asked, and the other's answer waited for once more.
    @Test @HostActor func aPauseBesideTheEndOfTheHostAsksNobody() async throws {
        let bench = try bench(Self.two(), VirtualClock())
        let gone = try #require(bench.host.plugins["other"])
        let stuck = try holdOn("it", bench)
        bench.host.shutDown()
        try await wait(while: gone.state != .gone)
        bench.host.heed(.pause)
        #expect(!bench.host.lifecycle.desired.contains(.paused))
        #expect(bench.names(of: "lifecycle.will-pause").count == 1)
        stuck.signal()
        #expect(await bench.end() == .asked)
    }
}
