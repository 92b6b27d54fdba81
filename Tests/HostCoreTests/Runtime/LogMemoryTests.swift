import HostTestKit
import Locking
import Testing

@testable import HostCore

@Suite struct LogMemoryTests {
    private let memory = LogMemory(clock: VirtualClock())

    @Test func allCopiesOfALogKeepInOnePlace() {
        let log = Log(upTo: .warning, memory: memory) { _ in }
        log.error("one", element: "v", code: "c")
        log.from("pipeline a").warning("two")
        log.debug("not wanted")
        let taken = memory.take()
        #expect(taken.lost == 0)
        #expect(
            taken.records.map(\.entry) == [
                LogEntry(.error, source: "host", "one", element: "v", code: "c"),
                LogEntry(.warning, source: "pipeline a", "two"),
            ])
        #expect(memory.take().records.isEmpty)
    }

    @Test func secretsAreMaskedBefore() {
        let mask = LogMask()
        mask.set { _ in "***" }
        Log(mask: mask, memory: memory) { _ in }.error("secret")
        #expect(memory.take().records.map(\.entry.text) == ["***"])
    }

    @Test func theOldestAreGivenUpAndCounted() {
        for number in 1...2500 { memory.keep(LogEntry(.notice, source: "host", "\(number)")) }
        let taken = memory.take()
        #expect(taken.records.count <= LogMemory.mostRecords)
        #expect(taken.records.count + taken.lost == 2500)
        #expect(taken.records.first?.entry.text == "\(taken.lost + 1)")
        #expect(taken.records.last?.entry.text == "2500")
    }

    @Test func longTextsAreCutAndBytesAreBounded() {
        let long = String(repeating: "ä", count: 10_000)
        for _ in 0..<500 { memory.keep(LogEntry(.notice, source: "host", long)) }
        let texts = memory.take().records.map(\.entry.text.utf8.count)
        #expect(texts.allSatisfy { $0 <= LogMemory.longestTextBytes + 6 })
        #expect(texts.reduce(0, +) <= LogMemory.mostBytes)
        #expect(!texts.isEmpty)
    }

    @Test func theListenerIsToldOnceForEachTime() {
        let calls = Locked(0)
        let memory = memory
        memory.keep(LogEntry(.notice, source: "host", "before"))
        memory.listen {
            // Whoever listens may ask at once.
            calls.withLock { $0 += 1 }
        }
        #expect(calls.withLock { $0 } == 1)
        memory.keep(LogEntry(.notice, source: "host", "a"))
        #expect(calls.withLock { $0 } == 1)
        #expect(memory.take().records.count == 2)
        memory.keep(LogEntry(.notice, source: "host", "b"))
        memory.keep(LogEntry(.notice, source: "host", "c"))
        #expect(calls.withLock { $0 } == 2)
        memory.listen(nil)
        _ = memory.take()
        memory.keep(LogEntry(.notice, source: "host", "d"))
        #expect(calls.withLock { $0 } == 2)
    }
}
