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
        let places = Locked<[UInt]>([])
        let mask = LogMask()
        mask.set { text in
            var here = 0
            let place = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
            places.withLock { $0.append(place) }
            return text
        }
        for _ in 0..<1000 { _ = mask.apply(to: "a") }
        let found = places.withLock { $0 }
        #expect(found.count == 1000)
        #expect(Set(found).count == 1)
    }
}
