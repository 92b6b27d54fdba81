import HostTestKit
import Testing

@testable import GStreamerKit

/// A stream that ends while its pictures are hidden.
@Suite(.serialized, .timeLimit(.minutes(10))) struct VideoOutputEndTests {
    init() throws { try GStreamer.start() }

    /// It plays, and a picture was seen.
    private static func hidden(_ launch: String) throws -> SwitchedPlayer {
        let player = try #require(try SwitchedPlayer(launch))
        player.pipeline.setState(.playing)
        #expect(SwitchedPlayer.wait { !player.sight.pictures.isEmpty })
        #expect(player.hide())
        return player
    }

    /// Without a sink that could tell of it.
    @Test(arguments: PlayerKind.allCases, [false, true]) func theEndIsReachedWhileHidden(
        _ kind: PlayerKind, _ comesBack: Bool
    ) throws {
        let clip = try ReferencePictures(frames: 75, distance: 25)
        defer { clip.remove() }
        let player = try Self.hidden(kind.launch(clip.path))
        defer { player.end() }
        #expect(SwitchedPlayer.wait { player.said("end") == 1 })
        player.output.postEndOfStream()
        if comesBack {
            player.show()
            // Raw ones are not kept.
            #expect(kind == .raw || SwitchedPlayer.wait { !player.sight.pictures.isEmpty })
        }
        #expect(player.ends)
    }

    /// A seek has made the first end void.
    @Test(arguments: PlayerKind.allCases, [false, true]) func theEndIsReachedOnceMoreAfterASeek(
        _ kind: PlayerKind, _ endsDecoder: Bool
    ) throws {
        let clip = try ReferencePictures.long(distance: 25)
        let player = try Self.hidden(kind.launch(clip.path))
        defer { player.end() }
        if endsDecoder { player.output.endDecoder(of: 0) }
        for round in 1...3 {
            #expect(player.pipeline.seek(Seek(to: .seconds(118))))
            #expect(SwitchedPlayer.wait { player.said("end") == round })
            player.output.postEndOfStream()
            #expect(player.ends, "round \(round)")
        }
        #expect(player.pipeline.seek(Seek(to: .seconds(1))))
        player.show()
        #expect(SwitchedPlayer.wait { player.sight.right != nil })
        let shown = player.sight.pictures
        #expect(shown.allSatisfy { clip.sums[$0.pts] == $0.sum })
    }

    /// What mixes streams lets the end of a flush pass only when it has come of all of them, with one number.
    @Test func mixedPicturesComeBackAfterTheirEnd() throws {
        let clip = try ReferencePictures(frames: 75, distance: 25)
        defer { clip.remove() }
        let player = try #require(try SwitchedPlayer(PlayerKind.mixed(clip.path, behind: "queue !")))
        defer { player.end() }
        #expect(player.output.streamCount == 2)
        let mixed = Recorder<Bool>()
        let output = try #require(player.pipeline.element(named: "mix")?.pad(named: "src"))
        let probe = output.addEventProbe { event in
            if case .endOfStream = event { mixed.record(true) }
        }
        defer { probe?.cancel() }
        player.pipeline.setState(.playing)
        #expect(SwitchedPlayer.wait { !player.sight.pictures.isEmpty })
        #expect(player.hide())
        #expect(SwitchedPlayer.wait { player.said("end") == 2 })
        player.output.postEndOfStream()
        #expect(player.ends)
        #expect(SwitchedPlayer.wait { !mixed.elements.isEmpty })
        player.show()
        #expect(SwitchedPlayer.wait { !player.sight.pictures.isEmpty })
    }
}
