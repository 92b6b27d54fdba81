import HostTestKit
import Testing

@testable import GStreamerKit

/// Whoever is told to hide pictures and to show them, at any moment and in any order, ends with the right ones.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ChangesOfMindTests {
    init() throws { try GStreamer.start() }

    enum Kind: CaseIterable {
        case mixed, mixedAhead, playbin, ahead

        func launch(_ path: String) -> String {
            switch self {
            case .playbin: PlayerKind.playbin.launch(path)
            case .ahead: PlayerKind.ahead.launch(path)
            case .mixed: PlayerKind.mixed(path, behind: "")
            case .mixedAhead: PlayerKind.mixed(path, behind: "queue !")
            }
        }
    }

    @Test(arguments: Kind.allCases) func loseNothing(_ kind: Kind) throws {
        var campaign = Campaign(rounds: 12)
        let clip = try ReferencePictures.long(distance: 25)
        let player = try #require(try SwitchedPlayer(kind.launch(clip.path)))
        defer { player.end() }
        player.pipeline.setState(.playing)
        #expect(SwitchedPlayer.wait { player.sight.right != nil && player.hearing.buffers > 10 })
        for round in 0..<min(campaign.rounds, 40) {
            // What comes at last needs a part of the clip, too.
            if player.pipeline.position ?? .zero > .seconds(60) { break }
            let heard = player.hearing.buffers
            let pause = Int.random(in: 0...15, using: &campaign)
            switch Int.random(in: 0..<3, using: &campaign) {
            case 0:
                for _ in 0..<Int.random(in: 1...4, using: &campaign) { player.changeMind() }
            case 1:
                player.changeMind()
                fallthrough
            default:
                #expect(player.hide(), "\(campaign.note), round \(round)")
                #expect(SwitchedPlayer.wait { player.hearing.buffers >= heard + pause })
                player.show()
                if Bool.random(using: &campaign) { player.changeMind() }
            }
            #expect(SwitchedPlayer.wait { player.hearing.buffers >= heard + pause + 1 })
        }
        player.forgetPictures()
        #expect(
            SwitchedPlayer.wait { player.sight.right != nil && player.sight.pictures.count > 10 }, "\(campaign.note)")
        #expect(player.hearing.largestJump <= ClockTime(nanoseconds: 1), "\(campaign.note)")
        // What the mixer makes of two is no picture of the clip.
        guard kind == .playbin || kind == .ahead else { return }
        #expect(player.sight.pictures.allSatisfy { clip.sums[$0.pts] == $0.sum }, "\(campaign.note)")
    }
}
