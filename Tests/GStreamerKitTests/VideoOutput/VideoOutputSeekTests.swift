import CGStreamer
import Dispatch
import Foundation
import HostTestKit
import Synchronization
import Testing

@testable import GStreamerKit

/// A seek while pictures are hidden, or on their way.
@Suite(.serialized, .timeLimit(.minutes(10))) struct VideoOutputSeekTests {
    init() throws { try GStreamer.start() }

    /// What waits in the queue is of the old place, whether its decoder could bring the flush or not.
    @Test(arguments: [PlayerKind.ahead, .raw], [false, true]) func aSeekWhileHiddenLeavesNothingOfTheOldPlace(
        _ kind: PlayerKind, _ endsDecoder: Bool
    ) throws {
        let clip = try ReferencePictures.long(distance: 25)
        let player = try #require(try SwitchedPlayer(kind.launch(clip.path)))
        defer { player.end() }
        player.pipeline.setState(.playing)
        #expect(SwitchedPlayer.wait { player.now > .milliseconds(500) })
        for (place, before) in [(ClockTime.seconds(20), ClockTime.seconds(40)), (.seconds(4), .seconds(20))] {
            #expect(player.hide())
            if endsDecoder { player.output.endDecoder(of: 0) }
            #expect(player.pipeline.seek(Seek(to: place)))
            #expect(player.pipeline.hasArrived(within: .seconds(20)))
            player.show()
            #expect(SwitchedPlayer.wait { player.sight.pictures.count > 10 })
            let shown = player.sight.pictures
            #expect(shown.allSatisfy { $0.pts >= place && $0.pts < before })
            for picture in shown { #expect(clip.sums[picture.pts] == picture.sum) }
        }
    }

    /// Nobody else brings it to a source of hidden pictures alone: their sink takes none.
    @Test func aSeekWhileHiddenReachesASourceOfPicturesAlone() throws {
        let player = try #require(
            try SwitchedPlayer(
                "videotestsrc ! video/x-raw,width=64,height=64,framerate=25/1 ! queue ! fakesink name=eyes sync=true"
                    + " audiotestsrc ! fakesink name=ears sync=true"))
        defer { player.end() }
        player.pipeline.setState(.playing)
        #expect(SwitchedPlayer.wait { player.sight.right != nil })
        let place = ClockTime.seconds(3600)
        #expect(player.hide())
        #expect(player.pipeline.seek(Seek(to: place)))
        player.show()
        #expect(SwitchedPlayer.wait { player.sight.right != nil })
        #expect(player.sight.pictures.allSatisfy { $0.pts >= place })
        #expect(player.pipeline.state(timeout: .seconds(10)) == (.success, .playing))
    }

    /// Else what is behind it hears of the beginning of the flush alone, and takes nothing any more.
    @Test func aDecoderIsNotEndedInTheMidstOfAFlush() throws {
        let clip = try ReferencePictures.long(distance: 25)
        let player = try #require(try SwitchedPlayer(PlayerKind.ahead.launch(clip.path)))
        defer { player.end() }
        let decoder = try #require(player.pipeline.element(named: "decoder"))
        let entry = try #require(decoder.pad(named: "sink"))
        player.pipeline.setState(.playing)
        #expect(SwitchedPlayer.wait { player.sight.right != nil })
        #expect(player.hide())
        let (place, ended) = (ClockTime.seconds(10), DispatchSemaphore(value: 0))
        let hasBegun = Atomic(false)
        let witness = entry.addProbe(events: true) { [output = player.output] data in
            guard case .event(.flushStop) = consume data, !hasBegun.exchange(true, ordering: .relaxed) else {
                return .pass
            }
            Thread.detachNewThread {
                output.endDecoder(of: 0)
                ended.signal()
            }
            // As long as whoever ends it there needs.
            _ = SwitchedPlayer.wait(limit: 100) { mh_gst_state(decoder.pointer) == GST_STATE_NULL }
            return .pass
        }
        defer { witness?.cancel() }
        #expect(player.pipeline.seek(Seek(to: place)))
        let hasMet = hasBegun.load(ordering: .relaxed)
        try #require(hasMet)
        ended.wait()
        #expect(player.pipeline.hasArrived(within: .seconds(20)))
        player.show()
        #expect(SwitchedPlayer.wait { player.sight.pictures.count > 10 })
        #expect(player.sight.pictures.allSatisfy { $0.pts >= place && clip.sums[$0.pts] == $0.sum })
    }

    /// What shows is in place again, and not yet joined to what brings it a seek.
    @Test(.timeLimit(.minutes(10))) func aSeekWhilePicturesAreMadeReadyIsNotRefused() throws {
        let clip = try ReferencePictures.long(distance: 25)
        let player = try #require(try SwitchedPlayer(PlayerKind.branches.launch(clip.path)))
        defer { player.end() }
        let pipeline = player.pipeline
        let decoder = try #require(pipeline.element(named: "decoder")?.pad(named: "sink"))
        pipeline.setState(.playing)
        #expect(SwitchedPlayer.wait { player.sight.right != nil })
        #expect(player.hide())
        player.output.endDecoder(of: 0)
        let (place, answers) = (ClockTime.seconds(10), Recorder<Bool>())
        let hasBegun = Atomic(false)
        let witness = decoder.addProbe(events: true) { data in
            guard case .event = consume data, !hasBegun.exchange(true, ordering: .relaxed) else { return .pass }
            let begun = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                begun.signal()
                answers.record(pipeline.seek(Seek(to: place)))
            }
            begun.wait()
            return .pass
        }
        defer { witness?.cancel() }
        player.show()
        #expect(SwitchedPlayer.wait { !answers.elements.isEmpty })
        #expect(answers.elements == [true])
        #expect(pipeline.hasArrived(within: .seconds(20)))
        #expect(SwitchedPlayer.wait { (player.sight.pictures.last?.pts ?? .zero) >= place })
        #expect(player.sight.pictures.filter { $0.pts >= place }.allSatisfy { clip.sums[$0.pts] == $0.sum })
    }
}
