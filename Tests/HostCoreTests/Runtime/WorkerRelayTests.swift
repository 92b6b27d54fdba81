import Foundation
import HostTestKit
import Testing

@testable import HostCore

/// Who looks for more work, and for how long, by a clock that stands still.
@Suite struct WorkerRelayTests {
    private let clock = VirtualClock()
    private let done = Recorder<String>()

    init() { MainLoopThread.start() }

    private func work(_ name: String) -> WorkerRelay.Work { { [done] in done.record(name) } }

    /// On a thread of its own: who looks stays there.
    private func runApart(_ relay: WorkerRelay, _ name: String) -> Task<Void, Never> {
        Task { [work = work(name)] in
            await withCheckedContinuation { over in
                Thread.detachNewThread {
                    relay.run(work)
                    over.resume()
                }
            }
        }
    }

    @Test @HostActor func whatComesAloneIsFollowedByNoLook() {
        clock.advance(by: .seconds(1))
        let relay = WorkerRelay(clock: clock, processors: 2)
        relay.run(work("alone"))
        clock.advance(by: WorkerRelay.moment)
        relay.run(work("long after"))
        #expect(!relay.offer(work("nobody")))
        #expect(done.elements == ["alone", "long after"])
    }

    @Test @HostActor func whatComesCloseIsFollowedByALook() async {
        clock.advance(by: .seconds(1))
        let relay = WorkerRelay(clock: clock, processors: 2)
        relay.run(work("first"))
        let worker = runApart(relay, "second")
        while !relay.offer(work("third")) { await Task.yield() }
        // It is taken before the next can be offered.
        while !relay.offer(work("fourth")) { await Task.yield() }
        while done.elements.count < 4 { await Task.yield() }
        clock.advance(by: WorkerRelay.moment)
        await worker.value
        #expect(done.elements == ["first", "second", "third", "fourth"])
        #expect(!relay.offer(work("nobody")))
    }

    /// What is offered in the last moment is done.
    @Test @HostActor func nothingOfferedIsLost() async {
        clock.advance(by: .seconds(1))
        var campaign = Campaign(rounds: 200)
        for round in 0..<campaign.rounds {
            let relay = WorkerRelay(clock: clock, processors: 2)
            relay.run(work("first"))
            let worker = runApart(relay, "second")
            let offer = Task.detached { [work = work("offered \(round)")] in relay.offer(work) }
            for _ in 0..<Int.random(in: 0...3, using: &campaign) { await Task.yield() }
            clock.advance(by: WorkerRelay.moment)
            let isTaken = await offer.value
            // Who began to look meanwhile looks up to here.
            clock.advance(by: WorkerRelay.moment)
            await worker.value
            #expect(done.elements.contains("offered \(round)") == isTaken, "\(campaign.note)")
        }
    }

    @Test @HostActor func oneProcessorIsLeftToOthers() {
        clock.advance(by: .seconds(1))
        let relay = WorkerRelay(clock: clock, processors: 1)
        relay.run(work("first"))
        relay.run(work("second"))
        #expect(!relay.offer(work("nobody")))
    }
}
