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
        totals.update("sink", as: "sink", dropped: 3)
        totals.update("sink", as: "sink", dropped: 5)
        #expect(totals.counts["sink"]?.dropped == 5)
        totals.beginBuild()
        totals.update("sink", as: "sink", dropped: 7)
        #expect(totals.counts["sink"]?.dropped == 12)
        // Its element began anew, as after a flush.
        totals.update("sink", as: "sink", dropped: 1)
        #expect(totals.counts["sink"]?.dropped == 13 && totals.counts["sink"]?.messages == 4)
        totals.update("dec", as: "dec", dropped: nil)
        #expect(totals.counts["dec"]?.dropped == nil && totals.counts["dec"]?.messages == 1)
    }

    /// A player that was restarted each half minute had tens of thousands of them after some months.
    @Test func whatBinsNumberAnewGoesByItsKind() {
        let names = LastingNames(["fakesink0", "mp4mux1", "cam"])
        for name in ["fakesink0", "mp4mux1.video_0", "cam", "video-sink", "0"] { #expect(names[name] == name) }
        #expect(names["udpsrc17"] == "udpsrc" && names["avdec_h264-3"] == "avdec_h264")
        #expect(names["qtmux2.audio_1"] == "qtmux.audio_1")
        var totals = QualityTotals()
        for build in 0..<100 {
            totals.beginBuild()
            let decoder = "avdec_h264-\(build)"
            for dropped in [2, 5] as [UInt64] { totals.update(decoder, as: names[decoder], dropped: dropped) }
        }
        #expect(totals.counts.count == 1 && totals.counts["avdec_h264"]?.dropped == 500)
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
