import CGStreamer
import GStreamerKit
import HostTestKit
import TestElements
import Testing

@testable import HostCore

/// What a camera gives when nobody has said anything of its warm-up.
@Suite(.timeLimit(.minutes(20))) struct WarmUpTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
        try #require(mh_test_camera_register() != 0)
    }

    private static func launch(_ rate: Int, _ frames: Int) -> String {
        "testcamera device=/dev/video9 name=v is-live=true num-buffers=\(frames)"
            + " ! video/x-raw,width=16,height=16,framerate=\(rate)/1 ! fakesink name=eyes"
    }

    /// The numbers of the frames that come to the sink, over all builds.
    @HostActor private func eyes(of bench: PipelineBench) -> Recorder<guint64> {
        let seen = Recorder<guint64>()
        bench.onBuilt = { pipeline in
            _ = pipeline.element(named: "eyes")?.pad(named: "sink")?.addProbe { data in
                if case .buffer(let frame) = consume data {
                    seen.record(frame.handle.assumingMemoryBound(to: GstBuffer.self).pointee.offset)
                }
                return .pass
            }
        }
        return seen
    }

    @Test @HostActor func threeFramesOfEachStartReachNobody() async throws {
        let bench = PipelineBench(Self.launch(100, 10))
        let (seen, listener) = (eyes(of: bench), TapListener())
        _ = try bench.pipeline.attach(listener, at: try ElementPad("v.src"))
        for start in 1...2 {
            try bench.pipeline.startOver()
            try await bench.changes(to: "finished")
            #expect(seen.elements.count == 7 * start)
        }
        let heard = listener.seen.elements.filter { if case .buffer = $0 { true } else { false } }.count
        #expect(heard == 14)
    }

    /// What stands still keeps its device: nothing of it is dark.
    @Test @HostActor func aPauseIsNoStart() async throws {
        // It does not end: a busy machine may take its time for each pause.
        let bench = PipelineBench(Self.launch(100, -1))
        let seen = eyes(of: bench)
        try bench.pipeline.play()
        try await bench.reaches("playing")
        for _ in 0..<3 {
            try bench.pipeline.pause()
            try await bench.reaches("paused")
            try bench.pipeline.play()
            try await bench.reaches("playing")
        }
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
        // The frame that a live source has under way when it is paused may be lost; a warm-up would take three more.
        let numbers = seen.elements
        #expect(numbers.first == 3)
        for (earlier, later) in zip(numbers, numbers.dropFirst()) { #expect((1...2).contains(later - earlier)) }
        #expect(numbers.count > 3)
    }

    /// Where there is no camera GStreamer puts its test pictures in its place.
    @Test @HostActor func aCameraThatIsFoundAtItsStartWarmsUp() async throws {
        let bench = PipelineBench(
            "autovideosrc filter-caps=video/x-raw ! video/x-raw,width=16,height=16 ! fakesink name=eyes")
        let seen = eyes(of: bench)
        try bench.pipeline.play()
        try await bench.showsItsFirstBuffer()
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
        #expect(seen.elements.first == 3)
    }

    /// The first three of ten in a second are over at 300 ms, which no live source can be before.
    @Test @HostActor func theFirstBufferIsTheFirstOneThatIsKept() async throws {
        // One that ends may have ended before a busy machine asks for its first buffer.
        let bench = PipelineBench(Self.launch(10, 10_000))
        try bench.pipeline.play()
        try await bench.showsItsFirstBuffer()
        #expect(bench.firstBuffers == ["eyes"])
        let delay = try #require(bench.firstBufferDelays.first)
        #expect(delay >= .milliseconds(300), "\(delay)")
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
    }

    /// Of different speed: only the first one of a pipeline warmed up. Sound waits for neither the slower nor a dead one.
    @Test @HostActor func eachCameraWarmsUp() async throws {
        let bench = PipelineBench(
            Self.launch(100, 10) + " testcamera device=/dev/video8 is-live=true num-buffers=10"
                + " ! video/x-raw,width=16,height=16,framerate=20/1 ! fakesink name=other"
                + " audiotestsrc is-live=true samplesperbuffer=480 num-buffers=1000 ! audio/x-raw,rate=48000 ! fakesink name=ears"
        )
        let first = Recorder<(name: String, time: ClockTime)>()
        bench.onBuilt = { pipeline in
            for name in ["eyes", "other", "ears"] {
                guard let pad = pipeline.element(named: name)?.pad(named: "sink") else { continue }
                _ = pad.addProbe { data in
                    guard case .buffer(let buffer) = consume data else { return .pass }
                    first.record((name, buffer.pts ?? .zero))
                    return .passAndRemove
                }
            }
        }
        try bench.pipeline.play()
        try await bench.reaches("finished")
        let times = Dictionary(first.elements.map { ($0.name, $0.time) }) { $1 }
        // A live source may leave out a frame where the machine is busy.
        let eyes = try #require(times["eyes"])
        #expect(eyes >= .milliseconds(30))
        let other = try #require(times["other"])
        #expect(other >= .milliseconds(150))
        let ears = try #require(times["ears"])
        #expect(ears >= min(eyes, other))
    }

    @Test(arguments: [0, 5]) @HostActor func whatIsSaidOfItCounts(frames: Int) async throws {
        let bench = PipelineBench(Self.launch(100, 10), warmUp: WarmUp(frames: frames))
        let seen = eyes(of: bench)
        try bench.pipeline.play()
        try await bench.reaches("finished")
        #expect(seen.elements.count == 10 - frames)
    }
}
