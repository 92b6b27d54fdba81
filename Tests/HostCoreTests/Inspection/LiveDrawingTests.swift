import Foundation
import HostTestKit
import Testing

@testable import HostCore

@Suite struct LiveDrawingTests {
    init() { MainLoopThread.start() }

    @Test @HostActor func drawingThatComesEndsTheWait() async {
        let clock = VirtualClock()
        #expect(await LiveDrawing.run(clock: clock) { "digraph pipeline {}" } == .drawn("digraph pipeline {}"))
        #expect(clock.pendingCount == 0)
        #expect(await LiveDrawing.run(clock: clock) { nil } == .drawn(nil))
    }

    /// The element's answer after the deadline changes nothing.
    @Test @HostActor func elementThatDoesNotAnswerIsNotWaitedFor() async {
        let clock = VirtualClock()
        let (entered, enter) = AsyncStream<Void>.makeStream()
        let stuck = DispatchSemaphore(value: 0)
        async let outcome = LiveDrawing.run(clock: clock) {
            enter.finish()
            stuck.wait()
            return "late"
        }
        for await _ in entered {}
        clock.advance(by: LiveDrawing.deadline)
        #expect(await outcome == .late)
        stuck.signal()
    }
}
