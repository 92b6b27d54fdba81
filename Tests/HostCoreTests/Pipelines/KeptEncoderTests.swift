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

    @HostActor
    private final class Bench {
        let clock = VirtualClock()
        let request: SnapshotRequest
        let picture: Picture
        lazy var kept = KeptEncoder(clock: clock, workers: WorkerPool())

        init() throws {
            request = try SnapshotRequest(.map([]))
            picture = try KeptEncoderTests.picture()
        }

        func encoder(_ format: PictureFormat = .jpeg) throws -> PictureEncoder {
            try PictureEncoder(of: picture.caps, as: format, size: request.size)
        }

        func take() -> PictureEncoder? { kept.take(for: request, of: picture) }
    }

    @Test @HostActor func isThereForTheNextForAWhile() throws {
        let bench = try Bench()
        #expect(bench.take() == nil)
        let encoder = try bench.encoder()
        bench.kept.keep(encoder)
        var other = bench.request
        other.size.width = 32
        #expect(bench.kept.take(for: other, of: bench.picture) == nil)
        bench.clock.advance(by: KeptEncoder.rest - .milliseconds(1))
        #expect(bench.take() === encoder)
        // Somebody has it.
        #expect(bench.take() == nil)
        bench.kept.keep(encoder)
        // The end of its first rest is not that of its second.
        bench.clock.advance(by: KeptEncoder.rest - .milliseconds(1))
        #expect(try bench.take()?.encode(bench.picture, within: .seconds(10)).isEmpty == false)
        bench.kept.keep(encoder)
        bench.clock.advance(by: KeptEncoder.rest)
        #expect(bench.take() == nil)
    }

    @Test @HostActor func theNewestIsKept() throws {
        let bench = try Bench()
        let (first, second) = (try bench.encoder(), try bench.encoder())
        bench.kept.keep(first)
        bench.kept.keep(second)
        #expect(bench.take() === second)
        bench.kept.keep(second)
        bench.kept.clear()
        #expect(bench.take() == nil)
    }

    /// It holds a decoder, of which a board may have one.
    @Test @HostActor func whatDecodesIsNotKept() throws {
        let bench = try Bench()
        let caps = try #require(Caps("video/x-h264,stream-format=byte-stream,alignment=au"))
        let encoder = try PictureEncoder(of: caps, as: .jpeg, size: bench.request.size)
        bench.kept.keep(try bench.encoder())
        bench.kept.keep(encoder)
        encoder.close()
        #expect(bench.take() != nil)
    }
}
