import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Telling of timers while no host runs, on a virtual clock.
@Suite(.timeLimit(.minutes(10))) struct DeliverySessionTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    /// Whether it was over was looked at when all plugins had answered, and each may take two minutes for that.
    @Test @HostActor func aPluginThatDoesNotAnswerKeepsItNoLongerThanItsTime() async throws {
        let place = try TemporaryDirectory()
        let path = place.path("h.yaml")
        try "mediahost: 1\nplugins: { laundry: { module: LaundryTimers } }\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        let environment = [
            "XDG_STATE_HOME": place.path("state"), "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere",
        ]
        let configuration = try #require(try ConfigurationCheck.load(path, environment: environment).configuration)
        let gate = PluginGate(
            unprobed: PluginSearch(directories: [TestProducts.directory]), log: Log(upTo: .error) { _, _, _ in })
        // Has the store: for a while whoever else wants something of it waits.
        gate.admit(configuration.plugins)
        let (exits, exit) = AsyncStream<Void>.makeStream()
        let other = Host(
            configuration, source: ConfigurationSource(path: path, environment: environment),
            log: Log(upTo: .error) { _, _, _ in }, gate: gate
        ) { _ in exit.finish() }
        #expect(other.start().isEmpty)
        _ = try await other.call(instance: "laundry", command: "pending", parameters: .map([]))

        var options = DeliveryProcess.Options(config: path, environment: environment)
        options.limit = .seconds(1)
        let (clock, log) = (VirtualClock(), Recorder<String>())
        let (waits, outcomes) = (Recorder<Int>(), Recorder<DeliveryProcess.Outcome>())
        let session = DeliverySession(
            configuration, options, log: Log { _, _, text in log.record(text) }, gate: gate, clock: clock
        ) { outcomes.record($0) }
        session.start { _ in waits.record(clock.pendingCount) }
        // The call has a deadline of its own.
        try await wait(while: waits.elements.isEmpty || clock.pendingCount <= waits.elements[0])
        clock.advance(by: options.limit)
        #expect(log.elements.contains { $0.hasPrefix("not all was told within 1s") }, "\(log.elements)")
        while outcomes.elements.isEmpty {
            try Task.checkCancellation()
            await Task.yield()
            clock.advance(by: .milliseconds(10))
        }
        var report = DeliveryProcess.Report()
        report.isIncomplete = true
        #expect(outcomes.elements == [.done(report)])
        other.shutDown()
        for await _ in exits {}
    }
}
