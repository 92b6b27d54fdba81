import Locking
import Testing

@testable import GStreamerKit

/// x264enc adds 1000 hours to its timestamps and says so in its segment: running time is what it was before.
@Suite struct EncoderTimeTests {
    init() throws { try GStreamer.start() }

    @Test func runningTimeIsFreeOfTheEncodersThousandHours() throws {
        let pipeline = try Pipeline(
            launch: "videotestsrc num-buffers=5 ! video/x-raw,width=64,height=64,framerate=25/1 ! "
                + "x264enc name=x tune=zerolatency ! fakesink", name: "hours")
        let pad = try #require(pipeline.element(named: "x")?.pad(named: "src"))
        let seen = Locked((segment: Segment?.none, raw: [ClockTime?](), running: [ClockTime?]()))
        let probe = pad.addProbe(events: true) { data in
            switch consume data {
            case .event(.segment(let segment)): seen.withLock { $0.segment = segment }
            case .buffer(let buffer):
                let pts = buffer.pts
                seen.withLock { state in
                    let running = state.segment?.runningTime(of: pts)
                    state.raw.append(pts)
                    state.running.append(running)
                }
            default: break
            }
            return .pass
        }
        pipeline.setState(.playing)
        while let message = pipeline.bus.next(timeout: .seconds(10)) {
            if case .endOfStream = message { break }
        }
        pipeline.setState(.null)
        probe?.cancel()
        let (raw, running) = seen.withLock { ($0.raw, $0.running) }
        #expect(running == (0..<5).map { .milliseconds($0 * 40) })
        #expect(raw.allSatisfy { $0.map { $0 >= .seconds(3_600_000) } ?? false })
    }
}
