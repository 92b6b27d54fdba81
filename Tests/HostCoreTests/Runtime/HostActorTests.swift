import GStreamerKit
import HostTestKit
import Synchronization
import Testing

@testable import HostCore

@Suite struct HostActorTests {
    init() { MainLoopThread.start() }

    @Test func closuresRunInTheOrderTheyWereEnqueued() async {
        let seen = Mutex<[Int]>([])
        await withCheckedContinuation { continuation in
            for index in 0..<1000 { HostActor.enqueue { seen.withLock { $0.append(index) } } }
            HostActor.enqueue { continuation.resume() }
        }
        #expect(seen.withLock { $0 } == Array(0..<1000))
    }

    @Test @HostActor func anEnqueuedClosureNeverRunsInsideAnother() async {
        let depth = Mutex(0)
        let deepest = Mutex(0)
        await withCheckedContinuation { continuation in
            HostActor.enqueue {
                depth.withLock { $0 += 1 }
                HostActor.enqueue {
                    deepest.withLock { deepest in deepest = depth.withLock { $0 } }
                    continuation.resume()
                }
                depth.withLock { $0 -= 1 }
            }
        }
        #expect(deepest.withLock { $0 } == 0)
    }

    @Test func theControlThreadKnowsItself() async {
        #expect(!HostActor.isCurrent)
        #expect(await isCurrent())
    }

    @HostActor private func isCurrent() -> Bool { HostActor.isCurrent }

    @Test @HostActor func aTimerRunsAndACancelledOneDoesNot() async {
        let clock = SystemClock()
        let cancelled = Mutex(false)
        let begin = clock.monotonic()
        clock.schedule(after: .milliseconds(1)) { cancelled.withLock { $0 = true } }.cancel()
        await withCheckedContinuation { continuation in
            _ = clock.schedule(after: .milliseconds(20)) { continuation.resume() }
        }
        #expect(clock.monotonic() - begin >= .milliseconds(20))
        #expect(cancelled.withLock { !$0 })
    }

    @Test func aSerialWorkerKeepsItsOrder() async {
        let worker = SerialWorker(WorkerPool())
        let seen = Mutex<[Int]>([])
        await withCheckedContinuation { continuation in
            for index in 0..<500 { worker.submit { seen.withLock { $0.append(index) } } }
            worker.submit { continuation.resume() }
        }
        #expect(seen.withLock { $0 } == Array(0..<500))
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
