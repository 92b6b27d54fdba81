import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

@Suite struct PipelineNumbersTests {
    init() throws {
        try GStreamer.start()
        MainLoopThread.start()
    }

    @Test func dropsOfAllBuildsAreOneNumberThatNeverGoesBack() {
        var totals = QualityTotals()
        totals.update("sink", dropped: 3)
        totals.update("sink", dropped: 5)
        #expect(totals.counts["sink"]?.dropped == 5)
        totals.beginBuild()
        totals.update("sink", dropped: 7)
        #expect(totals.counts["sink"]?.dropped == 12)
        // Its element began anew, as after a flush.
        totals.update("sink", dropped: 1)
        #expect(totals.counts["sink"]?.dropped == 13 && totals.counts["sink"]?.messages == 4)
        totals.update("dec", dropped: nil)
        #expect(totals.counts["dec"]?.dropped == nil && totals.counts["dec"]?.messages == 1)
    }

    @Test @HostActor func buffersAndBytesAreOfAllBuilds() async throws {
        let bench = PipelineBench("fakesrc num-buffers=7 sizetype=fixed sizemax=100 ! fakesink name=end")
        for round in 1...2 {
            try bench.pipeline.startOver()
            try await bench.changes(to: "finished")
            let count = try #require(try bench.pipeline.flowTotals["end"])
            #expect(count == .init(buffers: 7 * round, bytes: 700 * round))
            if round == 1 { #expect(try bench.pipeline.numbers.latency == nil) }
            // It is played once.
            #expect(bench.states.count { $0 == "finished" } == round)
        }
    }
}
