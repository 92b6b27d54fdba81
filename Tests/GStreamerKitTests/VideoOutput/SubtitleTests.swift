import HostTestKit
import Testing

@testable import GStreamerKit

/// Subtitles come seconds apart and ahead of their time: an overlay keeps the next one until the one before is over, and its thread.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SubtitleTests {
    init() throws { try GStreamer.start() }

    private static let text = """
        1
        00:00:00,000 --> 00:00:02,000
        one

        2
        00:00:02,500 --> 00:00:06,000
        two

        3
        00:00:07,000 --> 00:00:13,000
        three

        4
        00:00:15,000 --> 00:00:15,900
        four, without which the file is too short to be known by its contents

        """

    private enum Kind: String, CaseIterable {
        /// With a queue behind its overlay, which goes on.
        case playbin
        /// The same, from a file of their own.
        case file
        /// The overlay ends with the sink.
        case branches

        func launch(_ path: String) -> String {
            // Pictures of a few seconds are looked at; a machine that stands still for longer would leave them all out.
            switch self {
            case .playbin: PlayerKind.playbin.patient(path)
            case .file:
                PlayerKind.playbin.patient(path) + " suburi=file://\(ReferencePictures.subtitlePath(of: path))"
            case .branches:
                PlayerKind.branches.patient(path).replacing("=decoder !", with: "=decoder ! textoverlay name=overlay !")
                    + " d.subtitle_0 ! queue ! overlay.text_sink"
            }
        }
    }

    /// With its subtitles: 1.22's playbin3 leaves those of a file of their own out in one of nine starts on a busy machine, and sometimes
    /// other streams, too.
    private static func player(_ launch: String) throws -> SwitchedPlayer? {
        for _ in 0..<50 {
            guard let player = try SwitchedPlayer(launch) else { continue }
            if player.output.streamCount == 2 { return player }
            player.end()
        }
        return nil
    }

    /// A picture with a subtitle is not the picture alone. The overlay of playbin does not wait for text: where the first picture that is
    /// back is one of a later subtitle, that one comes with the next.
    private static func areSubtitled(
        _ clip: ReferencePictures, _ player: SwitchedPlayer, _ times: ClosedRange<Int64>
    ) -> Set<Bool> {
        let range = ClockTime.milliseconds(times.lowerBound)...ClockTime.milliseconds(times.upperBound)
        return Set(
            player.sight.pictures.dropFirst().filter { range.contains($0.pts) }.map { clip.sums[$0.pts] != $0.sum })
    }

    @Test(arguments: Kind.allCases) private func comeBackWithTheirPictures(_ kind: Kind) throws {
        let clip = try ReferencePictures(frames: 400, distance: 25, subtitles: Self.text, isApart: kind == .file)
        defer { clip.remove() }
        let player = try #require(try Self.player(kind.launch(clip.path)))
        defer { player.end() }
        player.pipeline.setState(.playing)
        #expect(SwitchedPlayer.wait { player.sight.right != nil })
        #expect(player.hide())
        #expect(SwitchedPlayer.wait { (player.hearing.lastEnd ?? .zero) > .milliseconds(2600) })
        player.show()
        #expect(SwitchedPlayer.wait { (player.hearing.lastEnd ?? .zero) > .milliseconds(6800) })
        // One that an overlay of its own has had before it began to play is lost with it.
        if kind != .branches { #expect(Self.areSubtitled(clip, player, 3000...5900) == [true]) }
        // On a busy machine there may be none.
        #expect(!Self.areSubtitled(clip, player, 6100...6700).contains(true))
        #expect(player.hide())
        // The third came meanwhile.
        #expect(SwitchedPlayer.wait { (player.hearing.lastEnd ?? .zero) > .milliseconds(8500) })
        player.show()
        #expect(SwitchedPlayer.wait { (player.hearing.lastEnd ?? .zero) > .milliseconds(14_000) })
        #expect(Self.areSubtitled(clip, player, 9000...12_900) == [true])
        #expect(!Self.areSubtitled(clip, player, 13_100...13_900).contains(true))
        #expect(player.hide())
        #expect(SwitchedPlayer.wait { player.isOver })
        player.output.postEndOfStream()
        #expect(player.ends)
        #expect(player.hearing.largestJump <= ClockTime(nanoseconds: 1))
    }
}
