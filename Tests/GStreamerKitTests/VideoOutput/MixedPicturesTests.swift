import HostTestKit
import Synchronization
import Testing

@testable import GStreamerKit

/// Streams that are mixed into one: what mixes them keeps whoever is ahead until the others have come.
@Suite(.serialized, .timeLimit(.minutes(10))) struct MixedPicturesTests {
    init() throws { try GStreamer.start() }

    /// How far a decoder has come.
    private final class Progress: Sendable {
        private let newest = Atomic(Int64(-1))
        var pts: ClockTime { ClockTime(nanoseconds: newest.load(ordering: .acquiring)) }

        init(of name: String, in player: SwitchedPlayer) throws {
            let pad = try #require(player.pipeline.element(named: name)?.pad(named: "src"))
            _ = pad.addProbe { [weak self] data in
                if case .buffer(let picture) = consume data, let pts = picture.pts {
                    self?.newest.store(pts.nanoseconds, ordering: .releasing)
                }
                return .pass
            }
        }
    }

    /// The source of one has nothing for a while, and the other's next picture waits in the mixer when both are to be hidden.
    @Test(arguments: ["", "queue !"], ["", "queue !"])
    func goWhileOneWaitsForTheOther(_ before: String, _ behind: String) throws {
        let clip = try ReferencePictures.long(distance: 25)
        let player = try #require(try SwitchedPlayer(PlayerKind.mixed(clip.path, before: before, behind: behind)))
        defer { player.end() }
        #expect(player.output.streamCount == 2 && player.output.isMixed)
        let (decoder, other) = (try Progress(of: "decoder", in: player), try Progress(of: "other", in: player))
        let mixer = try Progress(of: "mix", in: player)
        let valve = Valve()
        defer { valve.open() }
        let source = try #require(player.pipeline.element(named: "source")?.pad(named: "src"))
        _ = source.addProbe { data in
            if case .buffer = consume data { valve.pass() }
            return .pass
        }
        player.pipeline.setState(.playing)
        #expect(SwitchedPlayer.wait { player.sight.right != nil })
        valve.close()
        #expect(SwitchedPlayer.wait { valve.isWaitedAt })
        // One picture waits in the mixer for the other's, and one before it; and a second of them in the queue.
        let ahead = ClockTime.milliseconds(before.isEmpty ? 80 : 900)
        #expect(SwitchedPlayer.wait { mixer.pts >= other.pts && decoder.pts >= other.pts + ahead })
        let heard = player.hearing.buffers
        // What comes late is held, too.
        #expect(player.hide { valve.open() })
        #expect(SwitchedPlayer.wait { player.hearing.buffers > heard + 150 })
        #expect(player.hearing.largestJump <= ClockTime(nanoseconds: 1))
        player.show()
        #expect(SwitchedPlayer.wait { player.sight.right != nil })
    }
}
