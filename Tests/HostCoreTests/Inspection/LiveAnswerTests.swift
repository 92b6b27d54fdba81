import Foundation
import HostTestKit
import Testing

@testable import HostCore

@Suite struct LiveAnswerTests {
    init() { MainLoopThread.start() }

    @Test @HostActor func drawingThatComesEndsTheWait() async {
        let clock = VirtualClock()
        #expect(await LiveAnswer.run(clock: clock) { "digraph pipeline {}" } == .answered("digraph pipeline {}"))
        #expect(clock.pendingCount == 0)
        #expect(await LiveAnswer.run(clock: clock) { nil } == .answered(nil))
    }

    /// The element's answer after the deadline changes nothing.
    @Test @HostActor func elementThatDoesNotAnswerIsNotWaitedFor() async {
        let clock = VirtualClock()
        let (entered, enter) = AsyncStream<Void>.makeStream()
        let stuck = DispatchSemaphore(value: 0)
        async let outcome = LiveAnswer.run(clock: clock) {
            enter.finish()
            stuck.wait()
            return "late"
        }
        for await _ in entered {}
        clock.advance(by: LiveAnswer.deadline)
        #expect(await outcome == .late)
        stuck.signal()
    }
}
