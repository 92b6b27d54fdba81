import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Random lives of a live pipeline with video, the same behind an encoder, and audio: stops and starts, suspends, other devices, pauses, stalls, start-up phases,
/// pictures that are late, listeners that come and go.
@Suite struct MediaTimelineCampaign {
    @Test func theLineNeverJumps() {
        var campaign = Campaign(rounds: 2000)
        var life = PipelineLife()
        for _ in 0..<campaign.rounds {
            life.epoch(&campaign)
            guard life.faults.isEmpty else { break }
        }
        #expect(life.faults.isEmpty, "\(campaign.note): \(life.faults)")
        #expect(life.pictures > campaign.rounds && life.sounds > campaign.rounds, "\(campaign.note)")
        // Each way that sound has of being dropped costs a few packets, whatever the epoch was through.
        #expect(life.mostDropped <= 3, "\(campaign.note)")
    }
}
