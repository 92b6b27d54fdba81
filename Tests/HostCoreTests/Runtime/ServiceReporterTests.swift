import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

@Suite struct ServiceReporterTests {
    init() { MainLoopThread.start() }

    @HostActor
    private final class Controller: ProgressSource {
        let name = "porch"
        var isMakingProgress = true
    }

    @HostActor
    private final class Bench {
        let clock = VirtualClock()
        let controller = Controller()
        let logged = Recorder<LogEntry>()
        var state = "starting"
        var sent: [[String]] = []
        var failure: ServiceNotifier.Failure?
        private(set) var reporter: ServiceReporter!

        init(watchdog: Bool = true) {
            let settings = WatchdogSettings(environment: watchdog ? ["WATCHDOG_USEC": "10000000"] : [:], process: 1)
            reporter = ServiceReporter(
                watchdog: settings, clock: clock, log: Log { [logged] in logged.record($0) },
                pipelines: { [unowned self] in [.init(name: "porch", state: self.state)] },
                progress: { [unowned self] in [self.controller] },
                send: { [unowned self] (lines) throws(ServiceNotifier.Failure) in
                    if let failure = self.failure { throw failure }
                    self.sent.append(lines)
                })
        }

        func pulses() -> Int { sent.joined().count { $0 == "WATCHDOG=1" } }
    }

    @Test @HostActor func signsOfLifeComeTwicePerTimeoutWhileControllersWork() {
        let bench = Bench()
        bench.reporter.start()
        #expect(
            bench.sent.first == ["EXTEND_TIMEOUT_USEC=70000000", "STATUS=0 of 1 pipeline playing; porch: starting"])
        #expect(bench.pulses() == 1)
        bench.clock.advance(by: .seconds(20))
        #expect(bench.pulses() == 5)

        bench.controller.isMakingProgress = false
        bench.clock.advance(by: .seconds(20))
        #expect(bench.pulses() == 5)
        #expect(bench.logged.elements.filter { $0.code == "controller-stuck" }.count == 1)
        #expect(bench.logged.elements[0].text.contains("porch"))

        bench.controller.isMakingProgress = true
        bench.clock.advance(by: .seconds(5))
        #expect(bench.pulses() == 6)
    }

    @Test @HostActor func withoutAWatchdogAndOnceReadyNothingIsTimed() {
        let bench = Bench(watchdog: false)
        bench.reporter.start()
        #expect(bench.clock.pendingCount == 1)  // the patience of the start
        bench.state = "playing"
        bench.reporter.update()
        #expect(bench.sent.last == ["READY=1", "STATUS=1 of 1 pipeline playing"])
        #expect(bench.clock.pendingCount == 0)
    }

    @Test @HostActor func aStartThatTakesTooLongIsReadyAndSaysForWhomItWaited() {
        let bench = Bench(watchdog: false)
        bench.reporter.start()
        bench.clock.advance(by: .seconds(60))
        #expect(bench.sent.last == ["READY=1"])
        #expect(bench.logged.elements.map(\.text) == ["still starting after 60 s, the rest goes on without: porch"])
    }

    @Test @HostActor func whatAManagerHadNoRoomForComesLaterInItsLastForm() {
        let bench = Bench(watchdog: false)
        bench.failure = .full
        bench.reporter.start()
        bench.state = "playing"
        bench.reporter.update()
        #expect(bench.sent.isEmpty)
        bench.failure = nil
        bench.clock.advance(by: .milliseconds(250))
        #expect(
            bench.sent == [["EXTEND_TIMEOUT_USEC=70000000"], ["READY=1", "STATUS=1 of 1 pipeline playing"]])
        #expect(bench.clock.pendingCount == 0)
    }

    @Test @HostActor func whatWaitsForRoomKeepsItsOrder() {
        let bench = Bench()
        bench.failure = .full
        bench.state = "playing"
        bench.reporter.start()
        bench.reporter.beginReload()
        bench.reporter.endReload()
        for _ in 0..<100 { bench.clock.advance(by: .seconds(5)) }
        bench.failure = nil
        bench.clock.advance(by: .milliseconds(250))
        // The reload is over for the manager, too, and of all signs of life the last is left.
        #expect(
            bench.sent == [
                ["EXTEND_TIMEOUT_USEC=70000000", "READY=1"], ["RELOADING=1", "MONOTONIC_USEC=1000000000"],
                ["READY=1", "STATUS=1 of 1 pipeline playing"], ["WATCHDOG=1"],
            ])
    }

    @Test @HostActor func aReloadAndTheEndAreTold() {
        let bench = Bench(watchdog: false)
        bench.state = "playing"
        bench.reporter.start()
        bench.reporter.beginReload()
        #expect(bench.sent.last == ["RELOADING=1", "MONOTONIC_USEC=1000000000", "STATUS=reloading"])
        bench.reporter.endReload()
        #expect(bench.sent.last == ["READY=1", "STATUS=1 of 1 pipeline playing"])
        bench.reporter.stop()
        bench.reporter.close()
        #expect(bench.sent.last == ["STOPPING=1", "STATUS=ending"])
        #expect(bench.clock.pendingCount == 0)
    }

    @Test func unusableSocketsAreExplained() throws {
        for name in ["relative", "", "vsock:2:1234", "@", "/" + String(repeating: "x", count: 200)] {
            let error = #expect(throws: ServiceNotifier.UnusableSocket.self) { try ServiceNotifier(socket: name) }
            #expect(try #require(error).description.hasPrefix("NOTIFY_SOCKET is "))
        }
        let nobody = try ServiceNotifier(socket: "/nowhere/notify")
        #expect(throws: ServiceNotifier.Failure.errno(2)) { try nobody.send(["READY=1"]) }
    }
}
