import HostTestKit
import Testing

@testable import HostCore

@Suite struct ReloadTransactionTests {
    private static let forward = ReloadPlan.Leg(stopping: ["c", "a"], ending: ["p"], starting: ["c", "d"])
    private static let back = ReloadPlan.Leg(stopping: ["d", "c"], ending: ["p", "q"], starting: ["a", "c"])

    private func problem(_ text: String) -> Diagnostic { Diagnostic(.error, at: nil, text) }

    /// Performs events and returns the actions of the last.
    private func run(
        _ transaction: inout ReloadTransaction, _ events: [ReloadTransaction.Event]
    ) -> [ReloadTransaction.Action] {
        var last: [ReloadTransaction.Action] = []
        for event in events { last = transaction.handle(event) }
        return last
    }

    @Test func goesForwardStepByStep() {
        var transaction = ReloadTransaction(forward: Self.forward, back: Self.back)
        #expect(run(&transaction, [.begin]) == [.stop(["c", "a"])])
        #expect(run(&transaction, [.atRest("a")]) == [])
        #expect(run(&transaction, [.atRest("c")]) == [.end(["p"])])
        #expect(run(&transaction, [.ended]) == [.swap(.forward)])
        #expect(run(&transaction, [.swapped]) == [.start(["c", "d"])])
        #expect(run(&transaction, [.live("d"), .live("d"), .live("other")]) == [])
        #expect(run(&transaction, [.live("c")]) == [.finish(.committed)])
        #expect(transaction.problems.isEmpty)
    }

    @Test func nothingToDoIsCommittedAtOnce() {
        let nothing = ReloadPlan.Leg(stopping: [], ending: [], starting: [])
        var transaction = ReloadTransaction(forward: nothing, back: nothing)
        #expect(run(&transaction, [.begin]) == [.swap(.forward)])
        #expect(run(&transaction, [.swapped]) == [.finish(.committed)])
    }

    @Test func aPipelineThatDoesNotStartBringsAllBack() {
        var transaction = ReloadTransaction(forward: Self.forward, back: Self.back)
        _ = run(&transaction, [.begin, .atRest("a"), .atRest("c"), .ended, .swapped, .live("d")])
        let failure = ReloadTransaction.Event.failed(pipeline: "c", [problem("no device")])
        #expect(run(&transaction, [failure]) == [.stop(["d", "c"])])
        #expect(run(&transaction, [.atRest("c"), .atRest("d")]) == [.end(["p", "q"])])
        #expect(run(&transaction, [.ended]) == [.swap(.back)])
        #expect(run(&transaction, [.swapped]) == [.start(["a", "c"])])
        #expect(run(&transaction, [.live("a"), .live("c")]) == [.finish(.rolledBack)])
        #expect(transaction.problems.map(\.message) == ["no device"])
    }

    @Test func aPluginThatDoesNotBeginBringsAllBack() {
        var transaction = ReloadTransaction(forward: Self.forward, back: Self.back)
        _ = run(&transaction, [.begin, .atRest("a"), .atRest("c"), .ended])
        #expect(run(&transaction, [.failed(pipeline: nil, [problem("refused")])]) == [.stop(["d", "c"])])
    }

    @Test func whatFailsOnTheWayBackIsNotedAndTheWayGoesOn() {
        var transaction = ReloadTransaction(forward: Self.forward, back: Self.back)
        _ = run(&transaction, [.begin, .atRest("a"), .atRest("c"), .ended, .swapped])
        _ = run(&transaction, [.failed(pipeline: "d", [problem("one")]), .atRest("c"), .atRest("d"), .ended])
        #expect(run(&transaction, [.failed(pipeline: nil, [problem("two")])]) == [.start(["a", "c"])])
        #expect(run(&transaction, [.failed(pipeline: "a", [problem("three")])]) == [])
        #expect(run(&transaction, [.live("c")]) == [.finish(.rolledBack)])
        #expect(transaction.problems.map(\.message) == ["one", "two", "three"])
    }

    @Test func aPipelineThatIsNotPartOfItDoesNotCount() {
        var transaction = ReloadTransaction(forward: Self.forward, back: Self.back)
        _ = run(&transaction, [.begin, .atRest("a"), .atRest("c"), .ended, .swapped])
        #expect(run(&transaction, [.failed(pipeline: "other", [problem("its own")])]) == [])
        #expect(run(&transaction, [.live("c"), .live("d")]) == [.finish(.committed)])
    }

    @Test func shuttingDownLeavesItAsItIs() {
        var transaction = ReloadTransaction(forward: Self.forward, back: Self.back)
        _ = run(&transaction, [.begin, .atRest("a")])
        #expect(run(&transaction, [.abandon]) == [.finish(.abandoned)])
        #expect(run(&transaction, [.atRest("c"), .ended, .swapped, .abandon, .begin]) == [])
    }

    /// Whatever comes, in whatever order: it ends once, and nothing is started twice in one direction.
    @Test func endsOnceWhateverComes() {
        var campaign = Campaign(rounds: 2000)
        let names = ["a", "c", "d", "x"]
        for _ in 0..<campaign.rounds {
            var transaction = ReloadTransaction(forward: Self.forward, back: Self.back)
            var finished = 0
            var started = 0
            var events = 0
            _ = transaction.handle(.begin)
            while finished == 0, events < 10_000 {
                events += 1
                let name = names.randomElement(using: &campaign) ?? "a"
                let event: ReloadTransaction.Event =
                    switch Int.random(in: 0..<12, using: &campaign) {
                    case 0..<4: .atRest(name)
                    case 4, 5: .ended
                    case 6, 7: .swapped
                    case 8, 9: .live(name)
                    case 10: .failed(pipeline: Bool.random(using: &campaign) ? name : nil, [])
                    default: Int.random(in: 0..<50, using: &campaign) == 0 ? .abandon : .begin
                    }
                for action in transaction.handle(event) {
                    if case .finish = action { finished += 1 }
                    if case .start = action { started += 1 }
                }
            }
            #expect(finished == 1, "\(campaign.note)")
            #expect(started <= 2, "\(campaign.note)")
            for name in names { #expect(transaction.handle(.live(name)) == [], "\(campaign.note)") }
        }
    }
}
