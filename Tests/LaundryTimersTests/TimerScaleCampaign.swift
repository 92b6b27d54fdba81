import Foundation
import Glibc
import HostTestKit
import Testing

@testable import LaundryTimers

/// Many live timers: what they cost. `make campaign NAME=timer-scale N=1000000` prints the figures of docs/benchmarks.md.
@Suite(.serialized) struct TimerScaleCampaign {
    /// CPU time of this thread, in seconds.
    private func cpu() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private func say(_ what: String, _ value: Double, _ unit: String) {
        print("timer-scale: \(what): \(String(format: "%.3f", value)) \(unit)")
    }

    @Test func theQueue() {
        var random = Campaign(rounds: 20_000)
        let count = UInt32(clamping: random.rounds)
        var queue = DueQueue()
        let dues = (0..<random.rounds).map { _ in Int64.random(in: 0..<1_000_000_000_000, using: &random) }
        let others = (0..<random.rounds).map { _ in UInt32.random(in: 1...count, using: &random) }
        var begin = cpu()
        for timer in 1...count { queue.set(timer, due: dues[Int(timer) - 1], on: .boottime) }
        say("first start of \(count) timers, each", (cpu() - begin) / Double(count) * 1e6, "µs")
        #expect(queue.count == Int(count) && queue.bytes <= 64 * Int(count) + 4096)
        say("memory of a timer", Double(queue.bytes) / Double(count), "bytes")
        begin = cpu()
        var cancelled = 0
        for (index, timer) in others.enumerated() where queue.cancel(timer) {
            cancelled += 1
            queue.set(timer, due: dues[index], on: .boottime)
        }
        say("cancel and start again, any one of all", (cpu() - begin) / Double(cancelled) * 1e6, "µs")
        #expect(queue.count == Int(count))
        let entries = (1...count).map { (DueQueue.Line.boottime, DueQueue.Entry(due: dues[Int($0) - 1], timer: $0)) }
        begin = cpu()
        let restored = DueQueue(entries)
        say("heapify", (cpu() - begin) * 1e3, "ms")
        #expect(restored.count == Int(count))
    }

    @Test func theStore() throws {
        let random = Campaign(rounds: 5000)
        let bench = try Bench(pets: [])
        func seconds(_ body: () throws -> Void) rethrows -> Double {
            let clock = ContinuousClock()
            return try clock.measure(body) / .seconds(1)
        }
        let batch = 1000
        let names = (0..<random.rounds).map { "pet-\($0)" }
        for start in stride(from: 0, to: names.count, by: batch) {
            _ = try bench.perform(
                names[start..<min(start + batch, names.count)].map { .definePet(PetDefinition(id: $0)) })
        }
        // In no order, as they would come.
        var order = names
        var shuffler = random
        order.shuffle(using: &shuffler)
        let requests = order.enumerated().map { index, pet in
            StartRequest(pet: pet, kind: .wash, duration: .seconds(60 + index % 86_400), basis: nil)
        }
        // The first half in small orders, the rest in as large ones as there are.
        let half = requests.count / 2
        for (orders, size) in [(requests[..<half], batch), (requests[half...], 10_000)] {
            let starting = try seconds {
                for start in stride(from: orders.startIndex, to: orders.endIndex, by: size) {
                    _ = try bench.perform([.startMany(Array(orders[start..<min(start + size, orders.endIndex)]))])
                }
            }
            say("start-many by \(size), a second", Double(orders.count) / starting, "timers")
        }
        #expect(bench.keeper.queue.count == requests.count)
        bench.keeper.store.close()
        let now = Moment(boottime: bench.now.boottime + second, realtime: bench.now.realtime + second)
        var again: TimerKeeper?
        let restoring = try seconds {
            again = try TimerKeeper(
                TimerStore(bench.folder.store), bootID: "boot-1", now: now, isSynchronised: true)
        }
        say("restore of \(requests.count) timers", restoring * 1e3, "ms")
        let keeper = try #require(again)
        #expect(keeper.queue.count == requests.count)
        let pets = order.prefix(500)
        let single = try pets.map { pet in
            try seconds {
                _ = try keeper.perform([.stop(pet)], at: now, isSynchronised: true)
            }
        }.sorted()
        say("one order to its commit, median, in memory", single[single.count / 2] * 1e6, "µs")
        let late = Moment(boottime: now.boottime + 86_400 * second, realtime: now.realtime + 86_400 * second)
        let count = keeper.queue.count
        var told = 0
        let crowd = try seconds { told = try keeper.perform([], at: late, isSynchronised: true).deliveries.count }
        say("\(told) of \(count) due at once, each", crowd / Double(told) * 1e6, "µs")
        keeper.store.close()
    }
}
