import Foundation
import HostTestKit
import Testing

@testable import HostCore

/// Who looks for more work, and for how long, by a clock that stands still.
@Suite(.timeLimit(.minutes(20))) struct WorkerRelayTests {
    private let clock = VirtualClock()
    private let done = Recorder<String>()

    init() { MainLoopThread.start() }

    private func work(_ name: String) -> WorkerRelay.Work { { [done] in done.record(name) } }

    /// On a thread of its own: who looks stays there. "over" is done when it has left.
    private func runApart(_ relay: WorkerRelay, _ name: String) {
        let (work, over) = (work(name), work("over"))
        Thread.detachNewThread {
            relay.run(work)
            over()
        }
    }

    private func count(_ name: String) -> Int { done.elements.count { $0 == name } }

    /// However late the worker begins to look.
    @HostActor private func letTimePass(untilOver count: Int = 1) async throws {
        while self.count("over") < count {
            try Task.checkCancellation()
            clock.advance(by: WorkerRelay.moment)
            await Task.yield()
        }
    }

    @Test @HostActor func whatComesAloneIsFollowedByNoLook() {
        let relay = WorkerRelay(clock: clock, processors: 2)
        relay.run(work("alone"))
        clock.advance(by: WorkerRelay.moment)
        relay.run(work("long after"))
        #expect(!relay.offer(work("nobody")))
        #expect(done.elements == ["alone", "long after"])
    }

    @Test @HostActor func whatComesCloseIsFollowedByALook() async throws {
        let relay = WorkerRelay(clock: clock, processors: 2)
        relay.run(work("first"))
        runApart(relay, "second")
        try await wait(while: !relay.offer(work("third")))
        // It is taken before the next can be offered.
        try await wait(while: !relay.offer(work("fourth")))
        try await wait(while: count("fourth") == 0)
        try await letTimePass()
        #expect(done.elements == ["first", "second", "third", "fourth", "over"])
        #expect(!relay.offer(work("nobody")))
    }

    /// Also what is offered in the last moment, and nothing is done that was refused.
    @Test @HostActor func whatIsTakenIsDone() async throws {
        var campaign = Campaign(rounds: 200)
        var taken = 0
        for round in 0..<campaign.rounds {
            let relay = WorkerRelay(clock: clock, processors: 2)
            relay.run(work("first"))
            runApart(relay, "second")
            try await wait(while: !relay.offer(work("third")))
            let offer = Task.detached { [work = work("offered \(round)"), self] in
                while !relay.offer(work) {
                    guard count("over") == round else { return false }
                    await Task.yield()
                }
                return true
            }
            // One that is taken for sure, then hand in hand with the end.
            if round == 0 { _ = await offer.value }
            for _ in 0..<Int.random(in: 0...3, using: &campaign) { await Task.yield() }
            try await letTimePass(untilOver: round + 1)
            let isTaken = await offer.value
            taken += isTaken ? 1 : 0
            #expect(count("offered \(round)") == (isTaken ? 1 : 0), "\(campaign.note)")
        }
        #expect(taken > 0)
    }

    @Test @HostActor func oneProcessorIsLeftToOthers() {
        let relay = WorkerRelay(clock: clock, processors: 1)
        relay.run(work("first"))
        relay.run(work("second"))
        #expect(!relay.offer(work("nobody")))
    }

    /// What a worker has done holds nothing while it looks for more, or does something that hangs.
    @Test @HostActor func whatIsDoneIsLetGo() async throws {
        final class Held: Sendable {}
        let relay = WorkerRelay(clock: clock, processors: 2)
        relay.run(work("first"))
        runApart(relay, "second")
        weak var held: Held?
        var isTaken = false
        while !isTaken {
            let object = Held()
            held = object
            isTaken = relay.offer { [done] in done.record("third \(ObjectIdentifier(object))") }
            await Task.yield()
        }
        // Who is offered this has done the one before.
        try await wait(while: !relay.offer(work("fourth")))
        #expect(held == nil)
        try await letTimePass()
    }
}
