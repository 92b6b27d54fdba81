import HostTestKit
import Testing

@testable import LaundryTimers

@Suite struct DueQueueTests {
    @Test func theFirstComesFirstOnEachClock() {
        var queue = DueQueue()
        queue.set(1, due: 30, on: .boottime)
        queue.set(2, due: 10, on: .boottime)
        queue.set(3, due: 5, on: .realtime)
        #expect(queue.head(.boottime) == .init(due: 10, timer: 2))
        #expect(queue.head(.realtime) == .init(due: 5, timer: 3))
        queue.set(2, due: 40, on: .boottime)
        #expect(queue.head(.boottime) == .init(due: 30, timer: 1))
        // One timer is in one place, also when it changes the clock.
        queue.set(1, due: 1, on: .realtime)
        #expect(queue.head(.boottime) == .init(due: 40, timer: 2))
        #expect(queue.count == 3)
        let isGone = queue.cancel(1)
        let isGoneAgain = queue.cancel(1)
        #expect(isGone && !isGoneAgain && !queue.contains(1) && queue.contains(2))
        #expect(queue.head(.realtime) == .init(due: 5, timer: 3))
    }

    @Test func whatIsNoRowNumberIsNotTaken() {
        var queue = DueQueue([(.boottime, .init(due: 1, timer: .max)), (.boottime, .init(due: 2, timer: 7))])
        queue.set(UInt32(DueQueue.limit), due: 1, on: .boottime)
        #expect(queue.count == 1 && queue.head(.boottime)?.timer == 7)
    }

    /// Against arrays that are sorted each time.
    @Test func queueAndModelAgree() {
        var random = Campaign(rounds: 20_000)
        let note = Comment(rawValue: random.note)
        var queue = DueQueue()
        var model: [UInt32: (DueQueue.Line, Int64)] = [:]
        for _ in 0..<random.rounds {
            let timer = UInt32.random(in: 0..<300, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let line = Bool.random(using: &random) ? DueQueue.Line.boottime : .realtime
                let due = Int64.random(in: -50...50, using: &random)
                queue.set(timer, due: due, on: line)
                model[timer] = (line, due)
            case 6..<9:
                let wasThere = queue.cancel(timer)
                #expect(wasThere == (model.removeValue(forKey: timer) != nil), note)
            default:
                queue = DueQueue(
                    model.map { ($0.value.0, DueQueue.Entry(due: $0.value.1, timer: $0.key)) })
            }
            #expect(queue.count == model.count, note)
            for line in DueQueue.Line.allCases {
                let sorted = model.filter { $0.value.0 == line }
                    .map { DueQueue.Entry(due: $0.value.1, timer: $0.key) }.sorted(by: <)
                guard queue.head(line) == sorted.first else {
                    Issue.record("\(queue.head(line) as Any) is not \(sorted.first as Any); \(random.note)")
                    return
                }
                guard Int.random(in: 0..<20, using: &random) == 0 else { continue }
                #expect(queue.soonest(9, on: line) == Array(sorted.prefix(9)), note)
                #expect(queue.due(by: 0, on: line, most: .max) == sorted.filter { $0.due <= 0 }, note)
            }
        }
    }

    @Test func aTimerTakesFewBytes() {
        var queue = DueQueue()
        let count = 100_000
        for timer in 1...UInt32(count) {
            queue.set(timer, due: Int64(timer) &* 0x9e37_79b9 % 1_000_003, on: .boottime)
        }
        #expect(queue.bytes <= 64 * count)
    }
}
