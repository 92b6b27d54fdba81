import HostTestKit
import Testing

@testable import ReplayBuffer

/// A day of a capture whose clock goes another way than the host's.
extension LivePositionCampaign {
    /// Edge and newest frame never part by more than a frame, and who watches with a delay keeps it, over every pause. The whole day where
    /// the campaign is one.
    @Test(arguments: [200, -200])
    func aClockThatIsOffMovesNeitherTheEdgeNorTheViewer(_ partsPerMillion: Int64) throws {
        var campaign = Campaign(rounds: 100)
        let step = second / 25
        let frames = 24 * 3600 * 25 / (campaign.rounds >= 10_000 ? 1 : 20)
        let period = step + step * partsPerMillion / 1_000_000
        var live = LivePosition()
        var (media, time) = (Int64(0), second)
        let delay = 20 * second
        for number in 0..<frames {
            let late = Int64.random(in: 0...(step / 4), using: &campaign)
            let arrival = time + late
            let before = live.now(at: arrival)
            _ = live.frame(end: media + step, length: step, at: arrival)
            let now = try #require(live.now(at: arrival))
            if let before { #expect((0...step).contains(now - before), "frame \(number); \(campaign.note)") }
            for moment in [arrival, arrival + step / 2, arrival + 3 * step] {
                let edge = try #require(live.now(at: moment))
                #expect((media...media + step).contains(edge), "frame \(number); \(campaign.note)")
            }
            if number == 1000 { live.seek(to: now - delay, at: arrival) }
            if number >= 1000 { #expect(live.delay(at: arrival) == delay, "frame \(number); \(campaign.note)") }
            (media, time) = (media + step, time + period)
            guard number % 9000 == 5000 else { continue }
            live.willPause(at: arrival)
            live.hold(at: arrival + step)
            live.didPause(at: arrival + step)
            time += Int64.random(in: 1...600, using: &campaign) * second
            #expect(live.now(at: time) == media, "frame \(number); \(campaign.note)")
            live.willResume()
        }
    }
}
