import GStreamerKit
import Testing

@testable import HostCore

@Suite struct WarmUpPlanTests {
    init() throws { try GStreamer.start() }

    private func plan(_ launch: String, _ wanted: WarmUp? = nil) throws -> WarmUpPlan? {
        let span = SourceSpan(file: SourceFile(path: "p.yaml", text: launch), range: 0..<1)
        var problems: [Diagnostic] = []
        let description = PipelineDescription(
            name: "p", launch: LaunchParser.parse(LaunchParserTests.text(launch), diagnostics: &problems),
            warmUp: wanted, location: span)
        return try WarmUpPlan.make(for: description, Pipeline(launch: launch, name: "p"))
    }

    @Test func aCameraDropsItsFirstRawFrames() throws {
        let plan = try #require(try plan("v4l2src ! video/x-raw ! fakesink audiotestsrc ! fakesink"))
        #expect(plan.frames == 3 && plan.isForRawOnly && plan.pads.map(\.name) == ["src"] && plan.sound.count == 1)
        // What comes is known only when it does.
        #expect(try self.plan("v4l2src ! decodebin ! fakesink")?.isForRawOnly == true)
    }

    @Test func eachCameraDropsItsOwn() throws {
        #expect(try plan("v4l2src ! video/x-raw ! fakesink v4l2src ! video/x-raw ! fakesink")?.pads.count == 2)
        // Of two, one may encode.
        #expect(try plan("v4l2src ! image/jpeg ! fakesink v4l2src ! video/x-raw ! fakesink")?.pads.count == 1)
        #expect(try plan("v4l2src ! fakesink v4l2src ! fakesink", WarmUp(frames: 2))?.pads.count == 2)
    }

    /// A camera was known by its element alone: one that encodes lost three frames, and with them all up to its next key frame,
    /// at each start.
    @Test func aCameraThatEncodesDropsNothingUnasked() throws {
        #expect(try plan("v4l2src ! video/x-h264 ! fakesink") == nil)
        #expect(try plan("v4l2src ! image/jpeg ! fakesink") == nil)
        let asked = try #require(try plan("v4l2src ! video/x-h264 ! fakesink", WarmUp(frames: 2)))
        #expect(asked.frames == 2 && !asked.isForRawOnly)
    }

    /// There is no camera in it before it is started, nor anything by which one is known.
    @Test func theOneThatIsFoundAtItsStartIsACamera() throws {
        let plan = try #require(try plan("autovideosrc name=v ! fakesink autoaudiosrc name=a ! fakesink"))
        // The test sound that stands in for a microphone until it is started is heard of, too.
        #expect(plan.frames == 3 && plan.isForRawOnly && plan.pads.count == 1 && plan.sound.count == 2)
        #expect(try self.plan("autovideosrc ! fakesink", WarmUp(frames: 2))?.frames == 2)
        #expect(try self.plan("autoaudiosrc ! fakesink") == nil)
    }

    @Test func whatIsNoCameraDropsNothing() throws {
        #expect(try plan("videotestsrc is-live=true ! fakesink") == nil)
        #expect(try plan("audiotestsrc is-live=true ! fakesink") == nil)
        #expect(try plan("v4l2src ! video/x-raw ! fakesink", WarmUp(frames: 0)) == nil)
        #expect(throws: PipelineFailure.self) { try plan("videotestsrc ! fakesink", WarmUp()) }
    }
}
