import Foundation
import HostTestKit
import PluginKit
import Testing

@testable import ReplayBuffer

/// A process that writes frames is killed at random moments; the next one has all of them but the last, at most, and saves
/// clips at once.
@Suite(.serialized) struct RingKillCampaign {
    @Test(arguments: ["disk", "memfd"])
    func aKillTakesOneFrameAtMost(storage: String) throws {
        var campaign = Campaign(rounds: 10)
        let scene = try KillScene(storage)
        var (worst, slowest, frames) = (0, Duration.zero, 0)
        for round in 0..<campaign.rounds {
            let note = "\(campaign.note), \(storage), round \(round)"
            let killed = try scene.runAndKill(&campaign)
            let found = try scene.look()
            #expect(found.problems == [], "\(note)")
            // What it had not reported may be there, too.
            let lost = Int(killed.last) - Int(found.newest)
            #expect(lost <= 1 && lost >= -1, "\(note): \(killed.last) was taken, \(found.newest) is the newest")
            worst = max(worst, lost)
            frames += Int(killed.count)
            let time = try scene.save(note)
            slowest = max(slowest, time)
            // A debug build's digests are two hundred times slower.
            #expect(time < .seconds(isOptimised ? 1 : 60), "\(note): it took \(time) until a clip was saved")
        }
        print(
            "\(storage): \(campaign.rounds) kills, \(frames) frames, at most \(worst) lost, at most \(slowest) from the start of "
                + "the next instance to a saved clip; seed \(campaign.seed)")
    }
}
