import GStreamerKit
import Testing

@testable import HostCore

/// Which firings there are, with every time given.
@Suite struct RuleMachineTests {
    private static func machine(_ rules: RuleSettings...) -> RuleMachine {
        var machine = RuleMachine()
        machine.use(rules)
        return machine
    }

    private static let start = ClockTime.seconds(100)

    @Test func firesInTheOrderOfTheFile() {
        var machine = Self.machine(
            RuleBench.rule("a"), RuleBench.rule("b", when: "other.*"), RuleBench.rule("c", when: "test.*"))
        let event = RuleBench.event(1)
        let actions = machine.handle(event, at: Self.start)
        #expect(actions == [.fire(1, event), .fire(3, event)])
        #expect(machine[1]?.counts.fired == 1)
        #expect(machine[2]?.counts.fired == 0)
        #expect(machine.due == nil)
    }

    @Test func debounceWaitsForQuietAndTakesTheLast() {
        var machine = Self.machine(RuleBench.rule("a", debounce: .seconds(2)))
        var actions = machine.handle(RuleBench.event(1), at: Self.start)
        #expect(actions == [])
        #expect(machine.due == Self.start + .seconds(2))
        actions = machine.handle(RuleBench.event(2), at: Self.start + .seconds(1))
        #expect(actions == [])
        #expect(machine.due == Self.start + .seconds(3))
        actions = machine.advance(to: Self.start + .milliseconds(2999))
        #expect(actions == [])
        actions = machine.advance(to: Self.start + .seconds(3))
        #expect(actions == [.fire(1, RuleBench.event(2))])
        #expect(machine.due == nil)
    }

    @Test func whatIsDueTogetherFiresInTheOrderOfItsTimes() {
        var machine = Self.machine(
            RuleBench.rule("slow", debounce: .seconds(3)), RuleBench.rule("fast", debounce: .seconds(1)))
        _ = machine.handle(RuleBench.event(1), at: Self.start)
        let actions = machine.advance(to: Self.start + .seconds(5))
        #expect(actions == [.fire(2, RuleBench.event(1)), .fire(1, RuleBench.event(1))])
    }

    @Test func whatComesTooOftenIsDroppedAndToldOnce() {
        var machine = Self.machine(RuleBench.rule("a", count: 2, period: .seconds(10)))
        for number in UInt64(1)...2 {
            let actions = machine.handle(RuleBench.event(number), at: Self.start)
            #expect(actions == [.fire(1, RuleBench.event(number))])
            _ = machine.finished(1, failed: false, at: Self.start)
        }
        var actions = machine.handle(RuleBench.event(3), at: Self.start)
        #expect(actions == [.report(1, .rate, count: 1, RuleBench.event(3))])
        actions = machine.handle(RuleBench.event(4), at: Self.start)
        #expect(actions == [])
        // One more is allowed each five seconds.
        actions = machine.handle(RuleBench.event(5), at: Self.start + .seconds(5))
        #expect(actions == [.fire(1, RuleBench.event(5))])
        _ = machine.finished(1, failed: false, at: Self.start + .seconds(5))
        // A minute later the next report says how many were not told of.
        for number in UInt64(6)...7 {
            _ = machine.handle(RuleBench.event(number), at: Self.start + .seconds(60))
            _ = machine.finished(1, failed: false, at: Self.start + .seconds(60))
        }
        actions = machine.handle(RuleBench.event(8), at: Self.start + .seconds(60))
        #expect(actions == [.report(1, .rate, count: 2, RuleBench.event(8))])
        #expect(machine[1]?.counts.dropped == [.rate: 3])
        #expect(machine[1]?.counts.fired == 5)
    }

    @Test func oneFiringAtATimeAndOthersWait() {
        var machine = Self.machine(RuleBench.rule("a"))
        _ = machine.handle(RuleBench.event(0), at: Self.start)
        for number in 1...UInt64(RuleMachine.mostWaiting) {
            let actions = machine.handle(RuleBench.event(number), at: Self.start)
            #expect(actions == [])
        }
        var actions = machine.handle(RuleBench.event(99), at: Self.start)
        #expect(actions == [.report(1, .busy, count: 1, RuleBench.event(99))])
        for number in 1...UInt64(RuleMachine.mostWaiting) {
            actions = machine.finished(1, failed: number == 1, at: Self.start)
            #expect(actions == [.fire(1, RuleBench.event(number))])
        }
        actions = machine.finished(1, failed: false, at: Self.start)
        #expect(actions == [])
        #expect(machine[1]?.counts.failed == 1)
        // Nobody is at work any more.
        actions = machine.finished(1, failed: true, at: Self.start)
        #expect(actions == [] && machine[1]?.counts.failed == 1)
    }

    @Test func aChainThatIsTooLongIsCutAndToldOnce() {
        var machine = Self.machine(RuleBench.rule("a"), RuleBench.rule("watcher", when: "rule.*"))
        let last = RuleBench.event(1, depth: EventHub.deepest - 1)
        var actions = machine.handle(last, at: Self.start)
        #expect(actions == [.fire(1, last)])
        let deep = RuleBench.event(2, depth: EventHub.deepest)
        actions = machine.handle(deep, at: Self.start)
        #expect(actions == [.report(1, .loop, count: 1, deep)])
        actions = machine.handle(deep, at: Self.start)
        #expect(actions == [])
        // What is told of the cut is deeper still: it is dropped without being told, or it would go on for ever.
        let told = RuleBench.event(3, "rule.dropped", depth: EventHub.deepest + 1, ["rule": "a"])
        actions = machine.handle(told, at: Self.start)
        #expect(actions == [])
        #expect(machine[2]?.counts.dropped == [.loop: 1])
    }

    @Test func aRuleDoesNotHearOfItself() {
        var machine = Self.machine(RuleBench.rule("a", when: "rule.*"), RuleBench.rule("b", when: "rule.failed"))
        let event = RuleBench.event(1, "rule.failed", source: "host", ["rule": "b"])
        let actions = machine.handle(event, at: Self.start)
        #expect(actions == [.fire(1, event)])
    }

    @Test func aReloadKeepsWhatDidNotChange() {
        let limited = RuleBench.rule("limited", count: 1, period: .seconds(60))
        let waiting = RuleBench.rule("waiting", debounce: .seconds(5))
        var machine = Self.machine(limited, waiting, RuleBench.rule("gone"))
        let first = machine.handle(RuleBench.event(1), at: Self.start)
        #expect(first == [.fire(1, RuleBench.event(1)), .fire(3, RuleBench.event(1))])
        _ = machine.finished(1, failed: false, at: Self.start)

        // Another name and another place, and one that counts otherwise.
        var renamed = waiting
        renamed.name = "later"
        var looser = RuleBench.rule("gone", count: 2)
        looser.debounce = .seconds(1)
        machine.use([looser, renamed, limited])
        #expect(machine.rules.map(\.id) == [4, 2, 1])
        #expect(machine[1]?.counts.fired == 1 && machine[4]?.counts.fired == 0)
        // The one that is gone was at work: its end is nobody's any more.
        let ended = machine.finished(3, failed: true, at: Self.start)
        #expect(ended == [])
        let dropped = machine.handle(RuleBench.event(2, "test.happened"), at: Self.start + .seconds(1))
        #expect(dropped == [.report(1, .rate, count: 1, RuleBench.event(2))])
        let due = machine.advance(to: Self.start + .seconds(6))
        #expect(due == [.fire(4, RuleBench.event(2)), .fire(2, RuleBench.event(2))])
    }

    @Test func twoThatDoTheSameStayThemselves() {
        let one = RuleBench.rule("one", count: 1, period: .seconds(60))
        var two = one
        two.name = "two"
        var machine = Self.machine(one, two)
        machine.use([two, one])
        #expect(machine.rules.map(\.id) == [2, 1])
    }
}
