import Foundation
import HostTestKit
import Testing

@testable import HostCore

@Suite struct WorkerPoolTests {
    init() { MainLoopThread.start() }

    @Test @HostActor func aResultEndsTheWait() async {
        let (clock, workers) = (VirtualClock(), WorkerPool())
        #expect(
            await workers.result(within: .seconds(5), clock: clock) { "digraph pipeline {}" } == "digraph pipeline {}")
        #expect(clock.pendingCount == 0)
        // Nothing is a result, too.
        let nothing: String?? = await workers.result(within: .seconds(5), clock: clock) { nil }
        #expect(nothing == .some(nil))
    }

    /// What comes after the limit changes nothing.
    @Test @HostActor func whoIsStuckIsNotWaitedFor() async {
        let (clock, workers) = (VirtualClock(), WorkerPool())
        let (entered, enter) = AsyncStream<Void>.makeStream()
        let stuck = DispatchSemaphore(value: 0)
        async let outcome = workers.result(within: .seconds(5), clock: clock) {
            enter.finish()
            stuck.wait()
            return "late"
        }
        for await _ in entered {}
        clock.advance(by: .seconds(5))
        #expect(await outcome == nil)
        stuck.signal()
    }

    /// It has come before somebody looks: nobody is called back.
    @Test @HostActor func whatIsHereNeedsNoWait() async {
        let (clock, answer) = (VirtualClock(), WorkerAnswer<String>())
        answer.give("here")
        #expect(answer.lookForAMoment() == "here")
        let next = WorkerAnswer<String>()
        #expect(next.lookForAMoment() == nil)
        // Between the look and the wait.
        next.give("just now")
        #expect(await next.wait(within: .seconds(5), clock: clock) == "just now")
        #expect(clock.pendingCount == 0)
    }

    @Test @HostActor func whoWaitsIsCalledBack() async throws {
        let (clock, answer) = (VirtualClock(), WorkerAnswer<String>())
        #expect(answer.lookForAMoment() == nil)
        async let outcome = answer.wait(within: .seconds(5), clock: clock)
        try await wait(while: clock.pendingCount == 0)
        answer.give("late")
        #expect(await outcome == "late")
        #expect(clock.pendingCount == 0)
    }
}
