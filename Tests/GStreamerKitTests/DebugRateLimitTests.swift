import Locking
import Testing

@testable import GStreamerKit

@Suite struct DebugRateLimitTests {
    @Test func aPlaceThatRepeatsIsCutOffAndOthersPass() {
        var limit = DebugRateLimit()
        let repeated = (0..<1000).map { _ in limit.admits(7, now: 0) }
        #expect(repeated.count { $0 } == Int(DebugRateLimit.perSite))
        let isOtherAdmitted = limit.admits(8, now: 1)
        #expect(isOtherAdmitted)
    }

    @Test func allPlacesTogetherAreBoundedPerWindow() {
        var limit = DebugRateLimit()
        let first = (0..<1000).map { limit.admits($0, now: 0) }.count { $0 }
        let still = limit.admits(5000, now: DebugRateLimit.window - 1)
        let next = (0..<1000).map { limit.admits($0, now: DebugRateLimit.window) }.count { $0 }
        #expect(first == DebugRateLimit.overall)
        #expect(!still)
        #expect(next == DebugRateLimit.overall)
    }

    @Test func aFullQueueCountsWhatItLeavesOutAndWakesOncePerBatch() {
        let wakes = Counter()
        let intake = DebugIntake { _ in wakes.add() }
        let message = DebugMessage(level: .warning, category: "c", element: "", pipeline: "", function: "f", text: "t")
        for _ in 0..<300 { intake.push(message) }
        let (messages, leftOut) = intake.drain()
        #expect(messages.count == 256)
        #expect(leftOut == 44)
        #expect(wakes.value == 1)
        intake.push(message)
        #expect(wakes.value == 2)
        #expect(intake.drain().leftOut == 0)
    }
}

private final class Counter: Sendable {
    private let count = Locked(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}
