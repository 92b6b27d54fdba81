import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// `notifications:` of the config, in a host.
@Suite(.timeLimit(.minutes(10))) struct NotificationReloadTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    private static let pipelines = "pipelines: { a: { launch: \"\(HostReloadTests.live())\" } }\n"

    @HostActor
    private func show(_ bench: ReloadBench) -> NotificationAnswer {
        bench.host.notifications.show(NotificationRequest("a"), for: "it", called: "It") { _, _ in }
    }

    private func isLogged(_ bench: ReloadBench, _ text: String) -> Bool {
        bench.log.elements.contains { $0.contains(text) }
    }

    @Test @HostActor func aReloadTurnsThemOffAndOnAgain() async throws {
        let bench = try ReloadBench(Self.pipelines)
        await bench.awaits("a", "playing")
        #expect(show(bench) == .unavailable && isLogged(bench, "there is no session bus"))
        #expect(try await bench.reload("notifications: off\n" + Self.pipelines).isApplied)
        #expect(bench.host.configuration.notifications == .off)
        #expect(show(bench) == .unavailable && isLogged(bench, "the config says notifications: off"))
        // Not a word of a file that is refused holds.
        #expect(try await !bench.reload("notifications: desktop\n" + Self.pipelines).isApplied)
        #expect(isLogged(bench, "valid: session, system, off"))
        #expect(bench.host.configuration.notifications == .off)
        #expect(try await bench.reload(Self.pipelines).isApplied)
        #expect(bench.host.configuration.notifications == .session)
        #expect(show(bench) == .unavailable)
        // Said once for each time it is the case.
        #expect(bench.log.elements.filter { $0.contains("there is no session bus") }.count == 2)
        #expect(await bench.end() == .asked)
    }
}
