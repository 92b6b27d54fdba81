import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

@Suite struct LiveEdgeTests {
    private let frame = ClockTime.milliseconds(40)

    @Test func movesThroughTheNewestFrameAndWaitsAtItsEnd() {
        var edge = LiveEdge()
        #expect(edge.time(at: .seconds(5)) == nil)
        edge.advance(to: .milliseconds(40), length: frame, now: .seconds(1))
        #expect(edge.time(at: .milliseconds(1000)) == .zero)
        #expect(edge.time(at: .milliseconds(1030)) == .milliseconds(30))
        // Paused for an hour.
        #expect(edge.time(at: .seconds(3600)) == .milliseconds(40))
        edge.advance(to: .milliseconds(80), length: frame, now: .seconds(3600))
        #expect(edge.time(at: .seconds(3600)) == .milliseconds(40))
    }

    @Test func picturesOutOfOrderDoNotMoveItBack() {
        var edge = LiveEdge()
        edge.advance(to: .milliseconds(200), length: frame, now: .zero)
        edge.advance(to: .milliseconds(120), length: frame, now: .milliseconds(40))
        #expect(edge.time(at: .milliseconds(40)) == .milliseconds(200))
    }

    /// 24 h of a pipeline whose clock is fast or slow against the host's, with jitter, pauses and restarts: edge and newest frame
    /// never part by more than a frame, and the edge never steps by more than that.
    @Test(arguments: [200.0, -200.0])
    func aClockThatIsOffNeverPartsThem(_ partsPerMillion: Double) {
        var campaign = Campaign(rounds: 100)
        let frames = 24 * 3600 * 25 / (campaign.rounds >= 10_000 ? 1 : 20)
        var timeline = MediaTimeline()
        let video = timeline.addStream()
        timeline.setKind(.video, of: video)
        timeline.beginEpoch()
        var running = ClockTime.zero
        var now = ClockTime.seconds(10)
        var last: ClockTime?
        let period = Int64(40_000_000 * (1 + partsPerMillion / 1e6))
        for number in 0..<frames {
            guard case .at(let offset) = timeline.place(video, runningTime: running, duration: frame, now: now) else {
                Issue.record("a frame was dropped; \(campaign.note)")
                return
            }
            let newest = running + offset
            for look in [Int64(0), 20_000_000, 60_000_000] {
                let at = now + ClockTime(nanoseconds: look)
                guard let edge = timeline.edge.time(at: at) else {
                    Issue.record("no edge")
                    return
                }
                #expect(edge >= newest && edge <= newest + frame, "\(campaign.note)")
                if look == 0, let last { #expect(edge >= last && edge - last <= frame, "\(campaign.note)") }
            }
            last = timeline.edge.time(at: now + ClockTime(nanoseconds: period - 5_000_000))
            running = running + frame
            now = now + ClockTime(nanoseconds: period + Int64.random(in: -5_000_000...5_000_000, using: &campaign))
            switch number % 9000 {
            case 4000:
                // Stopped for a while, and built anew.
                timeline.beginEpoch()
                running = ClockTime(nanoseconds: Int64.random(in: 0...40_000_000, using: &campaign))
                now = now + .seconds(30)
                last = timeline.edge.time(at: now)
            case 8000:
                // Paused: running time stands still.
                timeline.endPause()
                running = running - ClockTime(nanoseconds: Int64.random(in: 0...39_000_000, using: &campaign))
                now = now + .seconds(7)
                last = timeline.edge.time(at: now)
            default: break
            }
        }
    }
}
