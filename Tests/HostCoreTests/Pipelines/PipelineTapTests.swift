import CGStreamer
import HostTestKit
import Testing

@testable import GStreamerKit
@testable import HostCore

/// What a tap of a real pipeline is given, and when.
@Suite struct PipelineTapTests {
    /// Does something on the thread that brings an event.
    private final class Comer: Sendable {
        let come: @Sendable () -> Void
        init(_ come: @escaping @Sendable () -> Void) { self.come = come }
    }

    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    private static let live =
        "videotestsrc is-live=true name=v ! video/x-raw,width=16,height=16,framerate=100/1 ! fakesink"

    @Test(.timeLimit(.minutes(10))) @HostActor func aTapStaysOverARestartAndTimeStepsOneFrame() async throws {
        let bench = PipelineBench(Self.live)
        let listener = TapListener()
        let pad = try ElementPad("v.src")
        let tap = try bench.pipeline.attach(listener, at: pad)
        for _ in 0..<2 {
            try bench.pipeline.play()
            try await bench.reaches("playing")
            try bench.pipeline.stop()
            try await bench.reaches("stopped")
        }
        try bench.pipeline.detach(tap)
        let seen = listener.seen.elements
        #expect(seen.prefix(2) == [.epoch(1), .format(1)])
        #expect(seen.last == .detached)
        #expect(seen.filter { $0 == .end }.count == 2)
        let times = seen.compactMap { if case .buffer(let pts, _) = $0 { pts } else { nil } }
        #expect(times.first == .zero)
        for (earlier, later) in zip(times, times.dropFirst()) { #expect(later - earlier == .milliseconds(10)) }
        // The same caps after a restart keep their number, and are told again after the epoch.
        let second = try #require(seen.firstIndex(of: .epoch(2)))
        #expect(seen[second + 1] == .format(1))
    }

    /// What was waited for in vain: each restart cost a second of sound, and each attempt left a stream more.
    @Test(.timeLimit(.minutes(10))) @HostActor func whoseTapIsRefusedIsWaitedForByNobody() async throws {
        let bench = PipelineBench(
            "audiotestsrc is-live=true samplesperbuffer=441 name=a ! audio/x-raw,rate=44100 ! fakesink")
        try bench.pipeline.play()
        try await bench.reaches("playing")
        for _ in 0..<3 {
            #expect(throws: PipelineFailure.self) {
                try bench.pipeline.attach(TapListener(), at: try ElementPad("a.side"))
            }
        }
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
        let listener = TapListener()
        _ = try bench.pipeline.attach(listener, at: try ElementPad("a.src"))
        try bench.pipeline.play()
        try await bench.showsItsFirstBuffer(2)
        await listener.hasBuffer()
        #expect(listener.seen.elements.prefix(2) == [.epoch(2), .format(1)])
        #expect(try bench.pipeline.mediaTime.addStream() == 1)
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
    }

    @Test(.timeLimit(.minutes(10))) @HostActor func aTapDetachedWhileMediaFlowsEndsWithDetached() async throws {
        let bench = PipelineBench(Self.live)
        let listener = TapListener()
        let tap = try bench.pipeline.attach(listener, at: try ElementPad("v.src"))
        try bench.pipeline.play()
        try await bench.reaches("playing")
        try bench.pipeline.detach(tap)
        await listener.isDetached()
        try bench.pipeline.detach(tap)
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
        #expect(listener.seen.elements.last == .detached)
        #expect(listener.seen.elements.filter { $0 == .detached }.count == 1)
    }

    /// The events that tell format and segment have passed: a tap of a running pipeline had neither, and got no buffer.
    @Test(.timeLimit(.minutes(10))) @HostActor func aTapAttachedWhileMediaFlowsKnowsFormatAndTime() async throws {
        let bench = PipelineBench(Self.live)
        try bench.pipeline.play()
        try await bench.reaches("playing")
        let listener = TapListener()
        let tap = try bench.pipeline.attach(listener, at: try ElementPad("v.src"))
        await listener.hasBuffer()
        try bench.pipeline.detach(tap)
        await listener.isDetached()
        let seen = listener.seen.elements
        #expect(seen.prefix(3) == [.epoch(1), .format(1), .buffer(pts: .zero, epoch: 1)])
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
    }

    /// A sink's pad knows a format when its element has taken it, after all probes have seen it go by.
    @Test(.timeLimit(.minutes(20))) @HostActor func aTapThatComesAsTheFormatPassesKnowsIt() throws {
        let source = Pad(adopting: try #require(gst_pad_new("src", GST_PAD_SRC)))
        let sink = Pad(adopting: try #require(gst_pad_new("sink", GST_PAD_SINK)))
        let listener = TapListener()
        let tap = Tap(
            pad: try ElementPad("sink.sink"), client: listener, mediaTime: MediaTime(), clock: VirtualClock())
        let comer = Comer { HostActor.assumeIsolated { _ = tap.attach(to: sink, closed: false) } }
        gst_pad_set_element_private(sink.pointer, Unmanaged.passUnretained(comer).toOpaque())
        gst_pad_set_event_function_full(
            sink.pointer,
            { pad, _, event in
                guard let pad, let event, let context = gst_pad_get_element_private(pad) else { return 0 }
                let isFormat = mh_gst_event_type(event) == GST_EVENT_CAPS
                gst_mini_object_unref(UnsafeMutableRawPointer(event).assumingMemoryBound(to: GstMiniObject.self))
                if isFormat { Unmanaged<Comer>.fromOpaque(context).takeUnretainedValue().come() }
                return 1
            }, nil, nil)
        gst_pad_set_chain_function_full(
            sink.pointer,
            { _, _, buffer in
                guard let buffer else { return GST_FLOW_ERROR }
                gst_mini_object_unref(UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))
                return GST_FLOW_OK
            }, nil, nil)
        #expect(gst_pad_link(source.pointer, sink.pointer) == GST_PAD_LINK_OK)
        gst_pad_set_active(sink.pointer, 1)
        gst_pad_set_active(source.pointer, 1)
        defer { gst_pad_set_active(source.pointer, 0) }
        gst_pad_push_event(source.pointer, gst_event_new_stream_start("stream"))
        let caps = try #require(gst_caps_from_string("video/x-raw,framerate=25/1"))
        gst_pad_push_event(source.pointer, gst_event_new_caps(caps))
        gst_mini_object_unref(UnsafeMutableRawPointer(caps).assumingMemoryBound(to: GstMiniObject.self))
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_TIME)
        gst_pad_push_event(source.pointer, gst_event_new_segment(&segment))
        let buffer = try #require(gst_buffer_new())
        buffer.pointee.pts = 0
        gst_pad_push(source.pointer, buffer)
        tap.end()
        #expect(listener.seen.elements == [.format(1), .buffer(pts: .zero, epoch: 0)])
    }

    @Test(.timeLimit(.minutes(10))) @HostActor func aPadThatDoesNotExistRefusesTheTapAndNamesThePads() async throws {
        let bench = PipelineBench("videotestsrc name=camera ! fakesink")
        let listener = TapListener()
        _ = try bench.pipeline.attach(listener, at: ElementPad(element: "camera", pad: "sorce"))
        try bench.pipeline.play()
        try await bench.reaches("playing")
        guard case .refused(let message)? = listener.seen.elements.first else {
            Issue.record("not refused: \(listener.seen.elements)")
            return
        }
        #expect(message.contains("it has src"))
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
    }

    /// In frames of 40 ms and buffers of 10 ms: nothing is heard of the time before the first picture.
    @Test(.timeLimit(.minutes(10))) @HostActor func soundBeginsWithTheFirstPicture() async throws {
        let bench = PipelineBench(
            "videotestsrc name=v is-live=true ! video/x-raw,framerate=25/1 ! fakesink name=eyes"
                + " audiotestsrc name=a is-live=true samplesperbuffer=480 ! audio/x-raw,rate=48000 ! fakesink name=ears",
            warmUp: WarmUp(frames: 4, at: try ElementPad("v.src")))
        let first = Recorder<(name: String, time: ClockTime?)>()
        bench.onBuilt = { pipeline in
            for name in ["eyes", "ears"] {
                guard let pad = pipeline.element(named: name)?.pad(named: "sink") else { continue }
                _ = pad.addProbe { [weak pipeline] data in
                    guard case .buffer(let buffer) = consume data else { return .pass }
                    let segment = pipeline?.element(named: name)?.pad(named: "sink")?.currentSegment
                    first.record((name, segment?.runningTime(of: buffer.pts)))
                    return .passAndRemove
                }
            }
        }
        try bench.pipeline.play()
        try await bench.reaches("playing")
        try bench.pipeline.stop()
        try await bench.reaches("stopped")
        let picture = try #require(first.elements.first { $0.name == "eyes" }?.time)
        let sound = try #require(first.elements.first { $0.name == "ears" }?.time)
        // A live source may leave out a frame where the machine is busy.
        #expect(picture >= .milliseconds(160))
        // How soon after it depends on when the picture came through: what was heard before that is gone.
        #expect(sound >= picture)
    }

    @Test(.timeLimit(.minutes(10))) @HostActor func warmUpFramesReachNobody() async throws {
        let bench = PipelineBench(
            "videotestsrc num-buffers=10 name=v ! video/x-raw,width=16,height=16,framerate=25/1 ! identity name=i ! fakesink",
            warmUp: WarmUp(frames: 4, at: try ElementPad("v.src")))
        let listener = TapListener()
        _ = try bench.pipeline.attach(listener, at: try ElementPad("i.src"))
        try bench.pipeline.play()
        try await bench.reaches("finished")
        let count = listener.seen.elements.filter { if case .buffer = $0 { true } else { false } }.count
        #expect(count == 6)
    }

    @Test @HostActor func anUnknownElementIsRefusedWithTheNearest() throws {
        let bench = PipelineBench("videotestsrc name=camera ! fakesink")
        let controller = try bench.pipeline
        #expect(throws: PipelineFailure.self) {
            try controller.attach(TapListener(), at: ElementPad(element: "camra", pad: "src"))
        }
        do throws(PipelineFailure) {
            _ = try controller.attach(TapListener(), at: ElementPad(element: "camra", pad: "src"))
        } catch {
            #expect(error.message.contains("did you mean \"camera\"?"))
        }
    }

    @Test(.timeLimit(.minutes(10))) @HostActor func pausedAndPlayedAgainStepsOneFrame() async throws {
        let bench = PipelineBench(Self.live)
        let listener = TapListener()
        _ = try bench.pipeline.attach(listener, at: try ElementPad("v.src"))
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
        let times = listener.seen.elements.compactMap { if case .buffer(let pts, _) = $0 { pts } else { nil } }
        for (earlier, later) in zip(times, times.dropFirst()) { #expect(later > earlier) }
    }
}
