import CGStreamer
import GStreamerKit
import HostTestKit
import TestElements
import Testing

@testable import HostCore

/// A pipeline that plays, whose screen hangs on its way down until it is let go. Its time stands still but for `clock`.
@HostActor
struct HangingScreen {
    /// 100 pictures a second into the screen.
    static let pictures = "video/x-raw,width=16,height=16,framerate=100/1 ! stucksink name=screen sync=true "

    let clock = VirtualClock()
    let bench: PipelineBench
    let pipeline: PipelineController
    private let screen: Element
    private let built = Built()

    private final class Built { var screen: Element? }

    /// That of the last build.
    var newest: Element { built.screen ?? screen }

    /// Plays `launch`, of which `pictures` is a part, until they can be hidden.
    /// - Parameter onBuilt: told of its builds before anything flows.
    init(
        _ launch: String, _ configure: (inout PipelineDescription) -> Void = { _ in },
        onBuilt: @escaping (Pipeline) -> Void
    ) async throws {
        try #require(mh_stuck_sink_register() != 0)
        bench = PipelineBench(launch, clock: clock, configure)
        pipeline = try bench.pipeline
        bench.onBuilt = { [built] in
            built.screen = $0.element(named: "screen")
            onBuilt($0)
        }
        pipeline.play()
        try await bench.showsItsFirstBuffer()
        try await wait(while: pipeline.modes.output == nil)
        screen = try #require(built.screen)
    }

    /// A film, which has no end of its own.
    static func film(_ configure: (inout PipelineDescription) -> Void = { _ in }) async throws -> HangingScreen {
        try await HangingScreen(
            "videotestsrc ! " + pictures
                + "audiotestsrc samplesperbuffer=441 ! audio/x-raw,rate=44100 ! fakesink name=ears sync=true", configure
        ) { _ in }
    }

    /// Has the sources of its build come to their end.
    func endsItsMedia() throws {
        for source in try #require(pipeline.build).pipeline.origins {
            pipeline.workers.submit { source.sendEndOfStream() }
        }
    }

    /// Its build is given up; returns when the pipeline is at rest.
    func isGivenUp() async {
        clock.advance(by: pipeline.limits.close)
        await withCheckedContinuation { done in pipeline.whenAtRest { done.resume() } }
    }

    /// Returns when its film has come to that place.
    func plays(to place: ClockTime) async throws {
        try await wait(while: try #require(pipeline.build).pipeline.position ?? .zero < place)
    }

    /// Asks for sound alone; returns when the screen is about to be ended, and hangs in that.
    func hangs(_ done: @escaping @HostActor () -> Void = {}) async throws {
        pipeline.setMode(.audio, done: done)
        try await wait(while: Self.state(of: screen) == GST_STATE_PLAYING)
        // What says that it has begun is there before.
        await withCheckedContinuation { done in HostActor.enqueue { done.resume() } }
    }

    /// Has its pictures go and come back; returns when the screen is about to begin, and hangs in that.
    func hangsOnItsWayUp() async throws {
        mh_stuck_sink_hang_at_start(screen.raw)
        await withCheckedContinuation { done in pipeline.setMode(.audio) { done.resume() } }
        try #require(Self.state(of: screen) == GST_STATE_NULL)
        pipeline.setMode(.video) {}
        try await wait(while: !isChanging)
        // What says that it has begun is there before.
        await withCheckedContinuation { done in HostActor.enqueue { done.resume() } }
    }

    /// Lets it go; returns when its build is gone, too.
    func isLetGo() async throws {
        mh_stuck_sink_let_go(screen.raw)
        try await wait(while: pipeline.machine.abandoned > 0)
    }

    private var isChanging: Bool { pending != GST_STATE_VOID_PENDING }

    /// Returns when the screen hangs on its way down, whoever asked for that, and when.
    func hangsOnItsWayDown() async throws {
        try await wait(while: pending != GST_STATE_NULL)
        // What says that it has begun is there before.
        await withCheckedContinuation { done in HostActor.enqueue { done.resume() } }
    }

    private var pending: GstState {
        var pending = GST_STATE_VOID_PENDING
        gst_element_get_state(screen.raw.assumingMemoryBound(to: GstElement.self), nil, &pending, 0)
        return pending
    }

    static func state(of element: Element) -> GstState {
        var state = GST_STATE_NULL
        gst_element_get_state(element.raw.assumingMemoryBound(to: GstElement.self), &state, nil, 0)
        return state
    }
}
