import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Which plugins of a new file are looked at before a reload begins.
@Suite(.timeLimit(.minutes(10))) struct ReloadCheckTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    private static let pipelines =
        "pipelines: { camera: { launch: videotestsrc ! x264enc ! h264parse name=encoded ! fakesink, autostart: false } }\n"

    private static func config(_ plugins: String...) -> String {
        pipelines + "plugins:\n" + plugins.joined()
    }

    private static func plugin(_ name: String, module: String = "ReplayBuffer", _ more: String...) -> String {
        let keys = ["module: \(module)", "video: camera/encoded.src", "window: 1s"] + more
        return "  \(name): { \(keys.joined(separator: ", ")) }\n"
    }

    @HostActor private func bench(_ config: String) throws -> ReloadBench {
        try ReloadBench(config, clock: VirtualClock(), plugins: [TestProducts.directory])
    }

    /// A start took the same file.
    @Test @HostActor func whatADisabledPluginWouldReserveIsNotCounted() async throws {
        let large = Self.config(
            Self.plugin("it", "memory: 1MiB"), Self.plugin("other", "memory: 9000GiB", "enabled: false"))
        let bench = try bench(large)
        #expect(try await bench.reload(Self.config(Self.plugin("it", "memory: 1MiB"))).isApplied)
        let report = try await bench.reload(large)
        #expect(report.isApplied, "\(report.problems)")
        #expect(await bench.end() == .asked)
    }

    /// Room was made that nobody had taken.
    @Test @HostActor func whatDoesNotRunHasNoMemoryToGive() async throws {
        let bench = try bench(Self.config(Self.plugin("it", "memory: 9000GiB", "enabled: false")))
        let report = try await bench.reload(Self.config(Self.plugin("other", "memory: 7000GiB")))
        #expect(report.result == .refused)
        #expect(
            report.problems.first?.message.hasPrefix("plugins reserve 7168000MiB: other ") == true, "\(report.problems)"
        )
        #expect(await bench.end() == .asked)
    }

    /// Its library was not looked for, and each reload went back for that.
    @Test @HostActor func oneThatSomebodyHasEnabledIsCheckedAlsoAfterItFailed() async throws {
        let bench = try bench(Self.config(Self.plugin("it", "memory: 1MiB", "enabled: false")))
        let plugins = bench.host.plugins
        _ = try await bench.host.enable(plugin: "it", saving: false)
        bench.host.instanceFailed(try #require(plugins["it"]), PluginFailure("had enough"))
        try await wait(while: plugins.isLeaving("it"))
        let report = try await bench.reload(
            Self.config(Self.plugin("it", module: TestProducts.replayBuffer, "memory: 1MiB", "enabled: false")))
        #expect(report.isApplied, "\(report.problems)")
        #expect(plugins["it"]?.state == .active)
        #expect(await bench.end() == .asked)
    }
}
