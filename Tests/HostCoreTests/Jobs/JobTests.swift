import GStreamerKit
import Testing

@testable import HostCore

struct JobTests {
    private func job() -> Job { Job(plugin: "replay", command: "save", at: .seconds(5), date: .seconds(0)) }

    @Test func itSaysHowFarItIs() {
        var job = job()
        #expect(job.value("1", at: .seconds(7))["progress"] == .null)
        job.report(0.25, "writing")
        let value = job.value("1", at: .seconds(7))
        #expect(value["progress"] == .double(0.25) && value["text"] == "writing" && value["state"] == "running")
        #expect(value["elapsed_ns"] == .int(2_000_000_000))
        #expect(value["started"] == "1970-01-01T00:00:00.000000Z")
    }

    @Test(arguments: [Double.nan, .infinity, -0.1, 1.1]) func whatIsNoShareIsOnlyASignOfLife(_ fraction: Double) {
        var job = job()
        job.report(0.5, "half")
        job.report(fraction, "on")
        #expect(job.progress == 0.5 && job.text == "on")
    }

    @Test func theFirstEndCounts() {
        var job = job()
        job.end(.success(["a": 1]), at: .seconds(6))
        job.end(.failure(ControlError(.failed, "no")), at: .seconds(7))
        job.report(0.1, "late")
        let value = job.value("1", at: .seconds(9))
        #expect(value["state"] == "succeeded" && value["result"] == ["a": 1] && value["error"] == nil)
        #expect(value["elapsed_ns"] == .int(1_000_000_000) && value["progress"] == .double(1) && value["text"] == "")
        let isCancelled = job.cancel()
        #expect(!isCancelled)
    }

    @Test(arguments: [
        (Job.Outcome.success(.null), Job.State.succeeded), (.failure(ControlError(.failed, "no")), .failed),
        (.failure(ControlError(.cancelled, "gave up")), .cancelled),
    ]) func whoIsCancelledMaySucceedAllTheSame(_ outcome: Job.Outcome, _ state: Job.State) {
        var job = job()
        let (first, second) = (job.cancel(), job.cancel())
        #expect(first && !second && job.state == .cancelling && !job.isOver)
        job.end(outcome, at: .seconds(6))
        #expect(job.state == state && job.isOver)
    }
}
