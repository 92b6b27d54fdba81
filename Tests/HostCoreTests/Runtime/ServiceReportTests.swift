import Testing

@testable import HostCore

@Suite struct ServiceReportTests {
    private func pipelines(_ states: KeyValuePairs<String, String>) -> [ServiceReport.Pipeline] {
        states.map { ServiceReport.Pipeline(name: $0, state: $1) }
    }

    @Test func readyWhenAllPlayAndOnlyOnce() {
        var report = ServiceReport()
        #expect(
            report.update(pipelines(["a": "starting", "b": "playing"])) == [
                "STATUS=1 of 2 pipelines playing; a: starting"
            ])
        #expect(report.update(pipelines(["a": "starting", "b": "playing"])).isEmpty)
        #expect(
            report.update(pipelines(["a": "playing", "b": "playing"])) == [
                "READY=1", "STATUS=2 of 2 pipelines playing",
            ])
        #expect(
            report.update(pipelines(["a": "stalled", "b": "playing"])) == [
                "STATUS=1 of 2 pipelines playing; a: stalled"
            ])
    }

    @Test(arguments: ["finished", "failed", "paused", "stopped"])
    func whoeverHasGotSomewhereKeepsNobodyWaiting(state: String) {
        var report = ServiceReport()
        #expect(report.update(pipelines(["a": state])).first == "READY=1")
    }

    @Test(arguments: ["starting", "buffering", "recovering", "degraded", "stalled"])
    func whoeverDoesNotPlayYetIsWaitedFor(state: String) {
        var report = ServiceReport()
        #expect(!report.update(pipelines(["a": state, "b": "playing"])).contains("READY=1"))
        #expect(report.update(pipelines(["a": "playing", "b": "playing"])).first == "READY=1")
    }

    @Test func patienceEndsAndThenItIsReadyWithoutTheLast() {
        var report = ServiceReport()
        let waiting = pipelines(["a": "buffering", "b": "playing"])
        #expect(!report.update(waiting).contains("READY=1"))
        #expect(ServiceReport.waitingFor(waiting) == ["a"])
        #expect(report.update(waiting, isPatient: false) == ["READY=1"])
    }

    @Test func detailFollowsTheState() {
        let line = ServiceReport.line([
            .init(name: "a", state: "playing"), .init(name: "porch", state: "recovering", detail: "attempt 2"),
        ])
        #expect(line == "1 of 2 pipelines playing; porch: recovering, attempt 2")
        #expect(ServiceReport.line([]) == "0 of 0 pipelines playing")
    }

    @Test func reloadIsAnnouncedAndEndsReady() {
        var report = ServiceReport()
        let all = pipelines(["a": "playing"])
        _ = report.update(all)
        #expect(report.beginReload(monotonic: 42) == ["RELOADING=1", "MONOTONIC_USEC=42", "STATUS=reloading"])
        #expect(report.update(pipelines(["a": "starting"])).isEmpty)
        #expect(report.endReload(all) == ["READY=1", "STATUS=1 of 1 pipeline playing"])
        #expect(report.endReload(all).isEmpty)
    }

    @Test func nothingIsReadyAfterTheEndHasBegun() {
        var report = ServiceReport()
        #expect(report.stop() == ["STOPPING=1", "STATUS=ending"])
        #expect(report.stop().isEmpty)
        #expect(report.update(pipelines(["a": "playing"])).isEmpty)
        #expect(report.beginReload(monotonic: 1).isEmpty)
    }

    @Test func watchdogIsForTheProcessItNames() {
        #expect(WatchdogSettings(environment: [:], process: 7) == nil)
        #expect(WatchdogSettings(environment: ["WATCHDOG_USEC": "0"], process: 7) == nil)
        #expect(WatchdogSettings(environment: ["WATCHDOG_USEC": "soon"], process: 7) == nil)
        #expect(WatchdogSettings(environment: ["WATCHDOG_USEC": "9223372036854775807"], process: 7) == nil)
        let environment = ["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"]
        #expect(WatchdogSettings(environment: environment, process: 8) == nil)
        #expect(WatchdogSettings(environment: environment, process: 7)?.interval == .seconds(15))
        #expect(MonitorThread.limit(nil) == .seconds(5))
        #expect(MonitorThread.limit(WatchdogSettings(environment: environment, process: 7)) == .seconds(5))
        #expect(
            MonitorThread.limit(WatchdogSettings(environment: ["WATCHDOG_USEC": "2000000"], process: 7))
                == .milliseconds(500))
    }
}
