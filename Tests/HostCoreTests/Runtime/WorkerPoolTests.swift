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
}
