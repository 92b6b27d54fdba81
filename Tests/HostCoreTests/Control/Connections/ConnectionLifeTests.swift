import GStreamerKit
import Testing

@testable import HostCore

@Suite struct ConnectionLifeTests {
    private let limits = ConnectionLimits()
    private let start = ClockTime.seconds(100)

    private func life(_ phases: ConnectionLife.Phase...) -> ConnectionLife {
        var life = ConnectionLife(limits, at: start)
        for phase in phases { life.enter(phase, at: start) }
        return life
    }

    @Test(arguments: [
        (ConnectionLife.Phase.head, ClockTime.seconds(10), ConnectionLife.Verdict.tooSlow),
        (.body, .seconds(30), .tooSlow), (.writing, .seconds(30), .close), (.idle, .seconds(60), .close),
        (.lingering, .seconds(2), .close),
    ])
    func everyWaitForTheClientEnds(
        _ phase: ConnectionLife.Phase, _ limit: ClockTime, _ expected: ConnectionLife.Verdict
    ) {
        var life = life(phase)
        #expect(life.deadline == start + limit)
        let early = life.verdict(at: start + limit - .milliseconds(1))
        #expect(early == nil)
        let due = life.verdict(at: start + limit)
        #expect(due == expected)
        let again = life.verdict(at: start + limit)
        #expect(again == nil, "once is enough")
    }

    @Test func aRouteTakesAsLongAsItTakes() {
        var life = life(.body, .answering)
        #expect(life.deadline == nil)
        let verdict = life.verdict(at: start + .seconds(100_000))
        #expect(verdict == nil)
    }

    @Test func progressIsGivenItsTimeAnew() {
        var life = life(.writing)
        life.enter(.writing, at: start + .seconds(29))
        let verdict = life.verdict(at: start + .seconds(58))
        #expect(verdict == nil && life.deadline == start + .seconds(59))
    }

    @Test func whatHasEndedStaysSo() {
        var life = life(.ended)
        life.enter(.head, at: start)
        #expect(life.phase == .ended && life.deadline == nil)
    }
}
