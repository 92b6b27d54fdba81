import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// What a seek's caller is told.
@Suite(.timeLimit(.minutes(5))) struct PipelineSeekTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    /// It was answered as if it were there.
    @Test @HostActor func aSeekWhoseMediaNeverComeIsNoSuccess() async throws {
        var limits = PipelineController.Limits()
        limits.arrival = .milliseconds(200)
        let bench = PipelineBench(
            "videotestsrc name=source ! video/x-raw,width=16,height=16,framerate=50/1 ! identity name=gate "
                + "! fakesink name=eyes sync=true", limits: limits)
        let controller = try bench.pipeline
        controller.play()
        try await bench.reaches("playing")
        controller.pause()
        try await bench.reaches("paused")
        let gate = try #require(controller.build?.pipeline.element(named: "gate"))
        let closed = try #require(gate.pad(named: "src")).addProbe { data in
            if case .buffer(_) = data { return .drop }
            return .pass
        }
        #expect(closed != nil)
        let error = await #expect(throws: ControlError.self) {
            try await controller.seek(to: .seconds(1), rate: nil, isAccurate: true)
        }
        #expect(error?.code == .timeout && error?.code.status == 504)
        #expect(error?.message.contains("nothing has come from there within 200ms") == true, "\(error?.message ?? "")")
        // It goes on when its media come, and so does the next one.
        closed?.cancel()
        try await controller.seek(to: .seconds(2), rate: nil, isAccurate: true)
        #expect(try await controller.playback()["position_ns"] == 2_000_000_000)
        controller.stop()
        try await bench.reaches("stopped")
    }
}
