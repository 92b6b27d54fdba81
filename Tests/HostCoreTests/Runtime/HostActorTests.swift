import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

@Suite struct HostActorTests {
    init() { MainLoopThread.start() }

    @Test func closuresRunInTheOrderTheyWereEnqueued() async {
        let seen = Recorder<Int>()
        await withCheckedContinuation { continuation in
            for index in 0..<1000 { HostActor.enqueue { seen.record(index) } }
            HostActor.enqueue { continuation.resume() }
        }
        #expect(seen.elements == Array(0..<1000))
    }

    @Test @HostActor func anEnqueuedClosureNeverRunsInsideAnother() async {
        let steps = Recorder<String>()
        await withCheckedContinuation { continuation in
            HostActor.enqueue {
                steps.record("outer begins")
                HostActor.enqueue {
                    steps.record("inner")
                    continuation.resume()
                }
                steps.record("outer ends")
            }
        }
        #expect(steps.elements == ["outer begins", "outer ends", "inner"])
    }

    /// Not when the next ones come: an answer may be megabytes.
    @Test @HostActor func whatAClosureHoldsIsLetGoWhenItHasRun() async {
        final class Held: Sendable {}
        weak var held: Held?
        let isHeld = await withCheckedContinuation { continuation in
            HostActor.enqueue {
                let new = Held()
                held = new
                HostActor.enqueue { withExtendedLifetime(new) {} }
                HostActor.enqueue { continuation.resume(returning: held != nil) }
            }
        }
        #expect(!isHeld)
    }

    @Test func theControlThreadKnowsItself() async {
        #expect(!HostActor.isCurrent)
        #expect(await isCurrent())
    }

    @HostActor private func isCurrent() -> Bool { HostActor.isCurrent }

    @Test @HostActor func aTimerRunsAndACancelledOneDoesNot() async {
        let clock = SystemClock()
        let ran = Recorder<String>()
        let begin = clock.monotonic()
        clock.schedule(after: .milliseconds(1)) { ran.record("cancelled") }.cancel()
        await withCheckedContinuation { continuation in
            _ = clock.schedule(after: .milliseconds(20)) { continuation.resume() }
        }
        #expect(clock.monotonic() - begin >= .milliseconds(20))
        #expect(ran.elements.isEmpty)
    }

    @Test func aSerialWorkerKeepsItsOrder() async {
        let worker = SerialWorker(WorkerPool())
        let seen = Recorder<Int>()
        await withCheckedContinuation { continuation in
            for index in 0..<500 { worker.submit { seen.record(index) } }
            worker.submit { continuation.resume() }
        }
        #expect(seen.elements == Array(0..<500))
    }

    /// Code of no actor, and the way back from a wait, take the thread with them.
    @Test func aTaskOfTheHostStaysOnTheControlThread() async {
        let places = Recorder<Bool>()
        await withCheckedContinuation { done in
            HostActor.enqueue {
                HostActor.task {
                    places.record(HostActor.isCurrent)
                    await Self.wait(places)
                    places.record(HostActor.isCurrent)
                    done.resume()
                }
            }
        }
        #expect(places.elements == [true, true, true, true])
    }

    @concurrent private static func wait(_ places: Recorder<Bool>) async {
        places.record(HostActor.isCurrent)
        await withCheckedContinuation { continuation in WorkerPool().submit { continuation.resume() } }
        places.record(HostActor.isCurrent)
    }

    /// However much waits for the control thread, others of the loop come in between.
    @Test @HostActor func aLongQueueLetsOtherSourcesIn() async {
        let order = Recorder<String>()
        let clock = SystemClock()
        await withCheckedContinuation { continuation in
            for number in 0..<4 {
                HostActor.enqueue {
                    order.record("\(number)")
                    // Far longer than its share.
                    let end = clock.monotonic() + .milliseconds(40)
                    while clock.monotonic() < end {}
                    if number == 0 { _ = clock.schedule(after: .zero) { order.record("timer") } }
                    if number == 3 { continuation.resume() }
                }
            }
        }
        #expect(order.elements.firstIndex(of: "timer").map { $0 <= 2 } == true, "\(order.elements)")
        #expect(order.elements.filter { $0 != "timer" } == ["0", "1", "2", "3"])
    }

    @Test @HostActor func eventsPostedInsideASubscriberComeAfterwardsForEverybody() {
        let hub = EventHub(clock: VirtualClock())
        var first: [String] = []
        var second: [UInt64] = []
        let undo = hub.subscribe { event in
            first.append(event.name)
            if event.name == "a" { hub.post("b", source: "host", [:], cause: event) }
        }
        let undoSecond = hub.subscribe { second.append($0.sequence) }
        hub.post("a", source: "host", [:])
        #expect(first == ["a", "b"])
        #expect(second == [1, 2])
        undo()
        hub.post("c", source: "host", [:])
        #expect(first == ["a", "b"])
        #expect(second == [1, 2, 3])
        undoSecond()
    }
}
