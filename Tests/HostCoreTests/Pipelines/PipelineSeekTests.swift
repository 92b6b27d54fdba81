import Dispatch
import GStreamerKit
import HostTestKit
import TestElements
import Testing

@testable import HostCore

/// What a seek's caller is told.
@Suite(.timeLimit(.minutes(20))) struct PipelineSeekTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
        try #require(mh_cranked_clock_begin() != 0)
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
        // A busy machine may be late a second time.
        var arrived = false
        while !arrived {
            do {
                try await controller.seek(to: .seconds(2), rate: nil, isAccurate: true)
                arrived = true
            } catch {
                try #require(error.code == .timeout)
            }
        }
        #expect(try await controller.playback()["position_ns"] == 2_000_000_000)
        controller.stop()
        try await bench.reaches("stopped")
    }

    /// Its sink stayed in PAUSED about once in 500 times, and the end of the stream did not pass it.
    @Test @HostActor func aSeekInTheMidstOfAStopLosesNoEnd() async throws {
        var campaign = Campaign(rounds: 100)
        for round in 1...campaign.rounds {
            // A drain that waits for its deadline waits for ever: no time passes.
            let bench = PipelineBench(
                "audiotestsrc samplesperbuffer=441 ! audio/x-raw,rate=44100 ! fakesink sync=true crankedclock",
                clock: VirtualClock())
            let controller = try bench.pipeline
            controller.play()
            try await bench.reaches("playing")
            controller.pause()
            if Bool.random(using: &campaign) { try await bench.reaches("paused") }
            for _ in 0..<Int.random(in: 0...40, using: &campaign) { await Task.yield() }
            controller.stop()
            for _ in 0..<Int.random(in: 0...40, using: &campaign) { await Task.yield() }
            let place = ClockTime.milliseconds(10 * Int64.random(in: 0...10_000, using: &campaign))
            var isAnswered = false
            Task { @HostActor in
                // That it is stopped meanwhile is an answer, too.
                try? await controller.seek(to: place, rate: nil, isAccurate: true)
                isAnswered = true
            }
            let limit = ContinuousClock.now + .seconds(60)
            while !(controller.isAtRest && isAnswered), ContinuousClock.now < limit { await Task.yield() }
            try #require(controller.isAtRest && isAnswered, "round \(round), \(campaign.note): \(controller.state)")
        }
    }

    /// A build that comes to rest goes to where it is to begin by itself. Whoever sends it elsewhere before it has was sent back, and
    /// the same media time came twice.
    @Test @HostActor func aSeekIsNotUndoneByTheOneThatABuildBeginsWith() async throws {
        let bench = PipelineBench(
            "audiotestsrc name=source samplesperbuffer=441 ! audio/x-raw,rate=44100 ! fakesink sync=true"
        ) { $0.onEOS = .loop }
        let controller = try bench.pipeline
        let line = MediaLine("p", "source")
        _ = try controller.attach(line, at: ElementPad(element: "source", pad: "src"))
        // What it begins with waits behind this.
        let valve = DispatchSemaphore(value: 0)
        bench.onState = { if $0.condition == .paused { $0.worker.submit { valve.wait() } } }
        controller.pause()
        try await bench.reaches("paused")
        bench.onState = nil
        do {
            defer { valve.signal() }
            try await controller.seek(to: .seconds(2), rate: nil, isAccurate: true)
        }
        await withCheckedContinuation { continuation in controller.worker.submit { continuation.resume() } }
        #expect(try await controller.playback()["position_ns"] == 2_000_000_000)
        #expect(line.count > 0)
        controller.play()
        let count = line.count
        while line.count < count + 5 { await Task.yield() }
        #expect(line.faults.isEmpty, "\(line.faults)")
        controller.stop()
        try await bench.reaches("stopped")
    }
}
