import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

struct KeptEncoderTests {
    init() throws {
        try GStreamer.start()
        MainLoopThread.start()
    }

    private static func picture() throws -> Picture {
        let pipeline = try Pipeline(
            launch: "videotestsrc ! video/x-raw,format=I420,width=64,height=48 ! fakesink name=eyes", name: "source")
        defer { pipeline.setState(.null) }
        pipeline.setState(.paused)
        #expect(pipeline.state(timeout: .seconds(20)).current == .paused)
        return try #require(pipeline.element(named: "eyes")?.shownPicture)
    }

    @Test @HostActor func isThereForTheNextForAWhile() throws {
        let clock = VirtualClock()
        let kept = KeptEncoder(clock: clock, workers: WorkerPool())
        let picture = try Self.picture()
        let request = SnapshotRequest()
        #expect(kept.take(for: request, of: picture) == nil)
        let encoder = try PictureEncoder(of: picture.caps, as: request.format, size: request.size)
        kept.keep(encoder)
        var other = request
        other.size.width = 32
        #expect(kept.take(for: other, of: picture) == nil)
        clock.advance(by: KeptEncoder.rest - .milliseconds(1))
        #expect(kept.take(for: request, of: picture) === encoder)
        // Somebody has it.
        #expect(kept.take(for: request, of: picture) == nil)
        // What ended while it was away is not the end of this.
        clock.advance(by: .milliseconds(2))
        kept.keep(encoder)
        clock.advance(by: KeptEncoder.rest - .milliseconds(1))
        #expect(try kept.take(for: request, of: picture)?.encode(picture, within: .seconds(10)).isEmpty == false)
        kept.keep(encoder)
        clock.advance(by: KeptEncoder.rest)
        #expect(kept.take(for: request, of: picture) == nil)
    }
}
