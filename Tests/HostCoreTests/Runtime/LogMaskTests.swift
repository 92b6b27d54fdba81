import Foundation
import Locking
import Testing

@testable import HostCore

@Suite struct LogMaskTests {
    @Test func textPassesUntilAMaskIsSet() {
        let mask = LogMask()
        #expect(mask.apply(to: "a") == "a")
        mask.set { $0 + "b" }
        #expect(mask.apply(to: "a") == "ab")
        mask.set { $0 + "c" }
        #expect(mask.apply(to: "a") == "ac")
    }

    /// Each text once wrapped the closure once more: memory grew with every line, and one day the stack would have ended.
    @Test func manyTextsLieNoDeeper() {
        let depths = Locked<[Int]>([])
        let mask = LogMask()
        mask.set { text in
            let depth = Thread.callStackReturnAddresses.count
            depths.withLock { $0.append(depth) }
            return text
        }
        for _ in 0..<100 { _ = mask.apply(to: "a") }
        let found = depths.withLock { $0 }
        #expect(found.count == 100)
        #expect(Set(found).count == 1)
    }
}
