import CGLib
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

    /// Called by GLib, as by a request that has come: a turn of the loop before each answer would cost more than most answers.
    /// Where other tests have something to do here it is behind that: so it is tried again.
    @Test @HostActor func whatIsBegunAtOnceIsDoneUpToItsFirstWait() async {
        var orders: [[String]] = []
        while orders.count < 1000, orders.last?.first != "begins" {
            let steps = Recorder<String>()
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                Self.whenNothingWaits {
                    HostActor.immediateTask {
                        steps.record("begins")
                        await withCheckedContinuation { wait in HostActor.enqueue { wait.resume() } }
                        steps.record("ends")
                        continuation.resume()
                    }
                    steps.record("goes on")
                }
            }
            orders.append(steps.elements)
        }
        #expect(orders.last == ["begins", "goes on", "ends"])
        #expect(orders.dropLast().allSatisfy { $0 == ["goes on", "begins", "ends"] })
    }

    /// Each caller of another place is a step; a request passes a few before its answer is there. What a thread brings in the
    /// midst of it goes first: so it is tried again.
    @Test @HostActor func whatIsBegunAtOnceComesBackThroughItsCallers() async {
        let steps = ["begins", "is called", "ends"]
        var orders: [[String]] = []
        while orders.count < 1000, orders.last != steps + ["goes on"] {
            let seen = Recorder<String>()
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                Self.whenNothingWaits {
                    let task = HostActor.immediateTask {
                        seen.record(steps[0])
                        await Self.elsewhere { seen.record(steps[1]) }
                        seen.record(steps[2])
                    }
                    seen.record("goes on")
                    HostActor.task {
                        await task.value
                        continuation.resume()
                    }
                }
            }
            orders.append(seen.elements)
        }
        #expect(orders.last == steps + ["goes on"])
        #expect(orders.allSatisfy { $0.filter { $0 != "goes on" } == steps })
    }

    /// What it asks for on its way is not overtaken by its next step.
    @Test @HostActor func whatIsBegunAtOnceKeepsTheOrder() async {
        let steps = Recorder<String>()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            HostActor.enqueue {
                HostActor.immediateTask {
                    HostActor.enqueue { steps.record("asked for") }
                    await Self.elsewhere { HostActor.enqueue { steps.record("asked for there") } }
                    steps.record("ends")
                    continuation.resume()
                }
            }
        }
        #expect(steps.elements == ["asked for", "asked for there", "ends"])
    }

    /// When the loop is about to sleep: other tests have nothing to do here then, unless a thread has just brought it.
    @HostActor private static func whenNothingWaits(_ body: @escaping @HostActor @Sendable () -> Void) {
        final class Box {
            let body: @HostActor @Sendable () -> Void
            init(_ body: @escaping @HostActor @Sendable () -> Void) { self.body = body }
        }
        g_idle_add_full(
            G_PRIORITY_LOW,
            { context in
                if let context { HostActor.assumeIsolated(Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body) }
                return 0
            }, Unmanaged.passRetained(Box(body)).toOpaque(), nil)
    }

    /// Of no actor.
    private nonisolated static func elsewhere(_ body: @Sendable () -> Void) async { body() }

    /// What waits is not overtaken.
    @Test @HostActor func whatIsBegunAtOnceIsBehindWhatWaits() async {
        let steps = Recorder<String>()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            HostActor.enqueue {
                HostActor.enqueue { steps.record("waits") }
                HostActor.immediateTask {
                    steps.record("begins")
                    continuation.resume()
                }
            }
        }
        #expect(steps.elements == ["waits", "begins"])
    }

    /// Within a task it begins later, and that one goes on as itself.
    @Test @HostActor func aTaskMayBeginAnother() async {
        let steps = Recorder<String>()
        let outer = HostActor.task {
            let inner = HostActor.immediateTask { steps.record("begins") }
            steps.record("goes on")
            await withCheckedContinuation { wait in HostActor.enqueue { wait.resume() } }
            await inner.value
            steps.record(Task.isCancelled ? "knows that it is cancelled" : "does not know")
        }
        outer.cancel()
        await outer.value
        #expect(steps.elements == ["goes on", "begins", "knows that it is cancelled"])
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

    /// A task that comes back through its callers has a step for each of them. A turn also ends when its time is over, as
    /// where this thread did not get the processor: so it is tried again.
    @Test @HostActor func whatIsEnqueuedMeanwhileRunsInTheSameTurn() async {
        var orders: [[Int]] = []
        while orders.count < 100, orders.last != Array(0...10) { orders.append(await order(ofSteps: 10)) }
        #expect(orders.last == Array(0...10), "in none of \(orders.count) turns; the last: \(orders.last ?? [])")
    }

    /// Steps of which each enqueues the next, and the next turn, which is the highest number.
    @HostActor private func order(ofSteps count: Int) async -> [Int] {
        let steps = Recorder<Int>()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            var waiting = 2
            @HostActor func done(_ number: Int) {
                steps.record(number)
                if number >= count - 1 { waiting -= 1 }
                if waiting == 0 { continuation.resume() }
            }
            @HostActor func step(_ number: Int) {
                done(number)
                if number < count - 1 { HostActor.enqueue { step(number + 1) } }
            }
            HostActor.enqueue {
                HostActor.enqueueForPlugin { done(count) }
                step(0)
            }
        }
        return steps.elements
    }

    @Test @HostActor func whoEnqueuesForEverLeavesTheOthersTheirTurns() async {
        let steps = Recorder<Int>()
        var isOver = false
        await withCheckedContinuation { continuation in
            @HostActor func step() {
                steps.record(0)
                if !isOver { HostActor.enqueue { step() } }
            }
            HostActor.enqueue {
                HostActor.enqueueForPlugin {
                    isOver = true
                    continuation.resume()
                }
                step()
            }
        }
        #expect(steps.elements.count <= 3 * MainContextExecutor.mostRounds)
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
