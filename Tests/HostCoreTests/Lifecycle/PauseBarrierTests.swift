import Testing

@testable import HostCore

@Suite struct PauseBarrierTests {
    @Test func endsWhenAllHaveAnsweredOrWereGivenUp() {
        var barrier = PauseBarrier(asking: ["a", "b", "c"])
        #expect(barrier.answer("a") == .accepted)
        #expect(barrier.answer("a") == .ignored)
        #expect(barrier.answer("x") == .ignored)
        let gaveUp = [barrier.giveUp("b"), barrier.giveUp("b")]
        #expect(gaveUp == [true, false])
        #expect(barrier.answer("b") == .ignored)
        #expect(!barrier.isOver)
        #expect(barrier.answer("c") == .accepted)
        #expect(barrier.isOver)
    }

    @Test func isOverAtOnceWithNobodyToAsk() {
        #expect(PauseBarrier<Int>(asking: []).isOver)
    }
}
