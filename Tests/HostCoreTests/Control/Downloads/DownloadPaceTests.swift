import GStreamerKit
import Testing

@testable import HostCore

@Suite struct DownloadPaceTests {
    /// The limit was one for each piece: who took a byte now and then kept its place for ever.
    @Test func whoTakesLittleIsTooSlowHoweverOftenItDoes() {
        var pace = DownloadPace(leastBytes: 1000, span: .seconds(30))
        pace.wrote(50_000)
        for second in 1...29 {
            let stays = pace.waited(.seconds(1), queued: Int64(50_000 - second))
            #expect(stays)
        }
        #expect(pace.patience == .seconds(1))
        let stays = pace.waited(.seconds(1), queued: 49_001)
        #expect(!stays)
    }

    @Test func whoTakesEnoughMayTakeForEver() {
        var pace = DownloadPace(leastBytes: 1000, span: .seconds(30))
        pace.wrote(50_000)
        for round in 1...40 {
            let stays = pace.waited(.seconds(30), queued: Int64(50_000 - round * 1000))
            #expect(stays)
        }
        // What was written meanwhile is not what was taken.
        pace.wrote(40_000)
        let stays = pace.waited(.seconds(30), queued: 50_000)
        #expect(!stays)
    }

    @Test func whatIsWrittenWithoutWaitingCostsNoTime() {
        var pace = DownloadPace(leastBytes: 1000, span: .seconds(30))
        for _ in 0..<1000 { pace.wrote(1) }
        #expect(pace.patience == .seconds(30))
    }
}
