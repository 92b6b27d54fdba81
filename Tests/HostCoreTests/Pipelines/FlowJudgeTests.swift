import GStreamerKit
import Testing

@testable import HostCore

@Suite struct FlowJudgeTests {
    private let judge = FlowJudge(timeout: .seconds(2))

    private func sample(
        _ name: String, _ group: FlowSample.Group = .video, flowed: Bool = true, last: Int64 = 0, spacing: Int64 = 0,
        isOver: Bool = false
    ) -> FlowSample {
        FlowSample(
            name: name, group: group, hasFlowed: flowed, last: .milliseconds(last), spacing: .milliseconds(spacing),
            isOver: isOver)
    }

    @Test func flowsUntilTheTimeoutIsOverAndSaysWhenToLook() {
        let samples = [sample("s", last: 1000)]
        #expect(
            judge.judge(samples, now: .milliseconds(2999)) == .init(health: .flowing, checkAt: .milliseconds(3000)))
        #expect(judge.judge(samples, now: .milliseconds(3000)) == .init(health: .stalled(silent: ["s"]), checkAt: nil))
    }

    /// One picture every ten seconds is no stall.
    @Test func aLongBufferMayLastBeforeTheTimeoutBegins() {
        let samples = [sample("s", last: 0, spacing: 10_000)]
        #expect(judge.judge(samples, now: .milliseconds(11_999)).health == .flowing)
        #expect(judge.judge(samples, now: .milliseconds(12_000)).health == .stalled(silent: ["s"]))
    }

    /// Its end wrapped round, and lay before all times: a stall.
    @Test func aBufferThatSaysItLastsForCenturiesIsNoStall() {
        let samples = [
            FlowSample(
                name: "s", group: .video, hasFlowed: true, last: .seconds(1), spacing: ClockTime(nanoseconds: .max),
                isOver: false)
        ]
        #expect(judge.judge(samples, now: .seconds(60)).health == .flowing)
    }

    @Test func oneSilentKindOfMediaIsDegraded() {
        let samples = [sample("v", last: 5000), sample("a", .audio, last: 1000)]
        #expect(judge.judge(samples, now: .milliseconds(5000)).health == .degraded(silent: ["a"]))
        #expect(judge.judge(samples, now: .milliseconds(9000)).health == .stalled(silent: ["v", "a"]))
    }

    @Test func placesOfOneKindStandInForEachOther() {
        let samples = [sample("screen", last: 5000), sample("file", flowed: false)]
        #expect(judge.judge(samples, now: .milliseconds(5000)).health == .flowing)
    }

    @Test func aLiveSourceStandsForItself() {
        let samples = [
            sample("screen", last: 5000), sample("c1", .source("c1"), last: 5000), sample("c2", .source("c2"), last: 0),
        ]
        #expect(judge.judge(samples, now: .milliseconds(5000)).health == .degraded(silent: ["c2"]))
    }

    @Test func whatHasNotBegunIsStartingUntilItsTimeIsOver() {
        let samples = [sample("v", last: 100), sample("a", .audio, flowed: false)]
        #expect(judge.judge(samples, now: .milliseconds(200)).health == .starting(waitingFor: ["a"]))
        var late = judge
        late.startIsOver = true
        #expect(late.judge(samples, now: .milliseconds(200)).health == .degraded(silent: ["a"]))
        #expect(
            late.judge([sample("v", flowed: false)], now: .milliseconds(200)).health == .stalled(silent: ["v"]))
    }

    /// `videotestsrc is-live=true ! valve drop=true ! fakesink`: the source runs, and nobody gets anything.
    @Test func whatOnlyLeavesASourceIsAStall() {
        let samples = [sample("s", .source("s"), last: 5000), sample("sink", last: 1000)]
        #expect(judge.judge(samples, now: .milliseconds(5000)).health == .stalled(silent: ["sink"]))
        var late = judge
        late.startIsOver = true
        let never = [sample("s", .source("s"), last: 5000), sample("sink", .unknown, flowed: false)]
        #expect(late.judge(never, now: .milliseconds(5000)).health == .stalled(silent: ["sink"]))
    }

    @Test func aSinkThatNeverHadAnythingIsMissedWhenItsTimeIsOver() {
        var late = judge
        late.startIsOver = true
        let samples = [sample("a", .audio, last: 5000), sample("v", .unknown, flowed: false)]
        #expect(late.judge(samples, now: .milliseconds(5000)).health == .degraded(silent: ["v"]))
    }

    @Test func nothingAtAllIsNotFlowing() {
        #expect(judge.judge([], now: .zero).health == .starting(waitingFor: []))
        var late = judge
        late.startIsOver = true
        #expect(late.judge([], now: .zero).health == .stalled(silent: []))
        #expect(
            judge.judge([sample("s", flowed: false, isOver: true)], now: .zero).health == .starting(waitingFor: ["s"]))
    }

    @Test func whatIsOverOrLinkedToNothingIsNotMissed() {
        let samples = [sample("v", last: 5000), sample("a", .audio, last: 0, isOver: true)]
        #expect(judge.judge(samples, now: .milliseconds(5000)).health == .flowing)
    }

    @Test func aSinkWithoutCapsIsWaitedForOnlyWhereNothingElseIs() {
        let unknown = sample("x", .unknown, flowed: false)
        #expect(judge.judge([unknown], now: .zero).health == .starting(waitingFor: ["x"]))
        #expect(judge.judge([unknown, sample("v", last: 0)], now: .zero).health == .flowing)
    }

    @Test func silenceIsCountedFromTheMomentTheProcessCouldSee() {
        var stopped = judge
        stopped.notBefore = .seconds(60)
        let samples = [sample("s", last: 1000)]
        #expect(stopped.judge(samples, now: .seconds(61)).health == .flowing)
        #expect(stopped.judge(samples, now: .seconds(62)).health == .stalled(silent: ["s"]))
    }

    @Test func withoutATimeoutNothingStalls() {
        let verdict = FlowJudge(timeout: nil).judge([sample("s", last: 0)], now: .seconds(9999))
        #expect(verdict == .init(health: .flowing, checkAt: nil))
    }
}
