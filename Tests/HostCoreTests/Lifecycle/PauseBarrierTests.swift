import Testing

@testable import HostCore

@Suite struct PauseBarrierTests {
    @Test func endsWhenAllHaveAnsweredOrWereGivenUp() {
        var barrier = PauseBarrier(asking: ["a", "b", "c"])
        #expect(barrier.answer("a") == .accepted)
        #expect(barrier.answer("a") == .ignored)
        #expect(barrier.answer("x") == .ignored)
        #expect(barrier.giveUp("b"))
        #expect(!barrier.giveUp("b"))
        #expect(barrier.answer("b") == .ignored)
        #expect(!barrier.isOver)
        #expect(barrier.answer("c") == .accepted)
        #expect(barrier.isOver)
    }

    @Test func isOverAtOnceWithNobodyToAsk() {
        #expect(PauseBarrier<Int>(asking: []).isOver)
    }
}
