import CGStreamer
import HostTestKit
import Locking
import TestElements
import Testing

@testable import GStreamerKit

/// Pictures go and come back while the sound goes on, in a real player at its real speed.
@Suite(.serialized, .timeLimit(.minutes(10))) struct VideoOutputTests {
    init() throws { try GStreamer.start() }

    /// What has come out of a decoder.
    private final class DecodedPictures: Sendable {
        private let newest = Locked(ClockTime.zero)

        init(at output: Pad) {
            _ = output.addProbe { [self] data in
                guard case .buffer(let picture) = consume data, let pts = picture.pts else { return .pass }
                newest.withLock { $0 = pts }
                return .pass
            }
        }

        var last: ClockTime { newest.withLock { $0 } }
    }

    /// The sound steps from buffer to buffer as if nothing were; every picture is the one that the clip has at that time, so
    /// nothing was decoded from what it does not depend on; the first one that comes back is not newer than the switch.
    @Test(arguments: PlayerKind.allCases, [25, 100])
    func soundGoesOnAndTheRightPictureComesBack(_ kind: PlayerKind, _ distance: Int) throws {
        var campaign = Campaign(rounds: 4)
        let clip = try ReferencePictures.long(distance: distance)
        #expect(clip.sums.count == 3000)
        let player = try #require(try SwitchedPlayer(kind.patient(clip.path)))
        defer { player.end() }
        #expect(player.output.sinkNames == ["eyes"])
        #expect(player.output.decoderNames.count == (kind == .raw ? 0 : 1))
        player.pipeline.setState(.playing)
        #expect(SwitchedPlayer.wait { player.sight.right != nil && player.hearing.buffers > 10 })
        for _ in 0..<min(campaign.rounds, 4) {
            let due = player.said("due")
            #expect(player.hide(), "\(campaign.note)")
            let heard = player.hearing.buffers
            let seen = player.sight.pictures.count
            let pause = Int.random(in: 12...60, using: &campaign)
            // In buffers of 20 ms that are heard meanwhile; longer than what a player has decoded ahead.
            #expect(SwitchedPlayer.wait { player.hearing.buffers >= heard + pause })
            #expect(player.sight.pictures.count == seen, "a picture came while they were hidden; \(campaign.note)")
            if player.said("due") > due, Bool.random(using: &campaign) { player.output.endDecoder(of: 0) }
            player.show()
            // From here on nothing is left out: it is decoded from the key frame that was due by now.
            let wanted = player.now
            #expect(SwitchedPlayer.wait { player.sight.right != nil }, "\(campaign.note)")
            let asSeen = player.now
            let sight = player.sight
            for picture in sight.pictures { #expect(clip.sums[picture.pts] == picture.sum, "\(campaign.note)") }
            let first = try #require(sight.pictures.first)
            // What is begun anew begins with what is over; what waited in a queue is the right one by the time it comes out.
            // A machine that stood still has more that is over.
            let isQueued = kind == .ahead || kind == .raw
            #expect(
                first.arrival >= first.pts || first.pts <= (isQueued ? asSeen : wanted) + .milliseconds(40),
                "\(campaign.note)")
        }
        let end = player.hearing
        #expect(end.largestJump <= ClockTime(nanoseconds: 1), "\(campaign.note)")
    }

    /// Also beyond what was held: nobody before the decoder may take it for that of another stream, and wait for a key frame.
    @Test(arguments: [PlayerKind.playbin, .branches, .ahead]) func noPictureIsMissingAfterADecoderBeganAnew(
        _ kind: PlayerKind
    )
        throws
    {
        let clip = try ReferencePictures.long(distance: 50)
        let player = try #require(try SwitchedPlayer(kind.patient(clip.path)))
        defer { player.end() }
        player.pipeline.setState(.playing)
        #expect(SwitchedPlayer.wait { player.sight.right != nil })
        #expect(player.hide())
        #expect(SwitchedPlayer.wait { player.said("due") >= 1 })
        player.output.endDecoder(of: 0)
        player.show()
        #expect(SwitchedPlayer.wait { player.sight.right != nil })
        let right = try #require(player.sight.right)
        #expect(SwitchedPlayer.wait { (player.sight.pictures.last?.pts ?? .zero) >= right + .milliseconds(1200) })
        let shown = player.sight.pictures.map(\.pts).filter { $0 >= right }
        for (picture, next) in zip(shown, shown.dropFirst()) { #expect(next - picture == .milliseconds(40)) }
    }

    /// What is decoded ahead is not lost: whoever comes back while it waits sees each picture of it that is not over.
    @Test(arguments: [PlayerKind.ahead, .raw], [0, 200]) func whoComesBackSoonSeesWhatWasDecodedAhead(
        _ kind: PlayerKind, _ pause: Int
    ) throws {
        let clip = try ReferencePictures.long(distance: 250)
        let player = try #require(try SwitchedPlayer(kind.patient(clip.path)))
        defer { player.end() }
        let decoded = DecodedPictures(at: try #require(player.pipeline.element(named: "decoder")?.pad(named: "src")))
        player.pipeline.setState(.playing)
        for _ in 0..<3 {
            #expect(SwitchedPlayer.wait { decoded.last > player.now + .milliseconds(700) })
            #expect(player.hide())
            let until = player.now + .milliseconds(Int64(pause))
            #expect(SwitchedPlayer.wait { player.now >= until })
            let wanted = player.now
            player.show()
            #expect(SwitchedPlayer.wait { !player.sight.pictures.isEmpty })
            // A busy machine takes its time, also to wake who waits with a picture that is over by then.
            let seen = player.now
            #expect(SwitchedPlayer.wait { (player.sight.pictures.last?.pts ?? .zero) >= wanted + .milliseconds(400) })
            let shown = player.sight.pictures
            let first = try #require(shown.first)
            #expect(first.pts <= seen + .milliseconds(40))
            // But for those that were over by the time the next one came, on a machine that stood still.
            for (picture, next) in zip(shown, shown.dropFirst()) where next.arrival < next.pts {
                #expect(next.pts - picture.pts == .milliseconds(40))
            }
            for picture in shown { #expect(clip.sums[picture.pts] == picture.sum) }
        }
    }

    /// What is decoded goes two ways, and one of them would stand with what it has been given.
    @Test func soundGoesOnWhereAWayHasNoQueue() throws {
        let clip = try ReferencePictures.long(distance: 25)
        let player = try #require(
            try SwitchedPlayer(
                PlayerKind.branches.launch(clip.path).replacing(
                    "=decoder !", with: "=decoder ! queue ! tee name=t ! queue !")
                    + " t. ! fakesink sync=true"))
        defer { player.end() }
        player.pipeline.setState(.playing)
        for _ in 0..<2 {
            #expect(SwitchedPlayer.wait { player.sight.right != nil })
            #expect(player.hide())
            let heard = player.hearing.buffers
            #expect(SwitchedPlayer.wait { player.hearing.buffers > heard + 150 })
            player.show()
        }
        #expect(SwitchedPlayer.wait { player.sight.right != nil })
        #expect(player.hearing.largestJump <= ClockTime(nanoseconds: 1))
    }

    /// A display that begins anew does not know what it has lent before, and may fail with it.
    @Test func noPictureInAnotherMemoryIsShownToADisplayThatBeganAnew() throws {
        let clip = try ReferencePictures.long(distance: 250)
        let player = try #require(try SwitchedPlayer(PlayerKind.ahead.launch(clip.path)))
        defer { player.end() }
        let output = try #require(player.pipeline.element(named: "decoder")?.pad(named: "src"))
        #expect(mh_display_memory_use(output.pointer) != 0)
        let decoded = DecodedPictures(at: output)
        player.pipeline.setState(.playing)
        // Those of before are in plain memory.
        #expect(SwitchedPlayer.wait { player.now > .milliseconds(2500) })
        #expect(player.hide())
        let before = decoded.last
        player.show()
        #expect(SwitchedPlayer.wait { player.sight.right != nil })
        let first = try #require(player.sight.pictures.first)
        #expect(first.pts > before)
        #expect(clip.sums[first.pts] == first.sum)
    }

    /// The sinks of pictures that come back wait for the first one, and the whole pipeline for them: it stands still when it is
    /// asked to, all the same.
    @Test func standsStillWhilePicturesComeBack() throws {
        let player = try #require(
            try SwitchedPlayer(
                "videotestsrc is-live=true ! video/x-raw,framerate=25/1 ! fakesink name=eyes sync=true"
                    + " audiotestsrc is-live=true ! fakesink name=ears sync=true"))
        defer { player.end() }
        #expect(SwitchedPlayer.wait { player.hearing.buffers > 3 })
        #expect(player.hide())
        // No picture comes before `feed`.
        player.output.show()
        player.output.beginFeeding()
        func time() -> ClockTime? { ClockTime(gst_element_get_current_running_time(player.pipeline.element.pointer)) }
        let begin = try #require(time())
        player.pipeline.setState(.paused)
        let stood = try #require(player.pipeline.pausedAt)
        #expect(stood >= begin)
        let sources = player.pipeline.structure.elements.filter { !$0.isBin && !$0.pads.contains(where: \.isSink) }
        #expect(sources.map(\.state) == [.paused, .paused])
        let (heard, seen) = (player.hearing.buffers, player.sight.pictures.count)
        // Time does not pass meanwhile.
        let until = ContinuousClock.now + .milliseconds(300)
        #expect(SwitchedPlayer.wait { ContinuousClock.now > until })
        let asked = ContinuousClock.now
        player.pipeline.setState(.playing)
        let passed = try #require(time()) - stood
        #expect(passed >= .zero && Duration.nanoseconds(passed.nanoseconds) <= ContinuousClock.now - asked)
        SwitchedPlayer.feed(player.output)
        #expect(SwitchedPlayer.wait { player.hearing.buffers > heard + 3 && player.sight.pictures.count > seen + 3 })
        #expect(player.pipeline.state(timeout: .seconds(10)) == (.success, .playing))
    }

    /// A sink shows one picture for all of the pause: the one where it stands, not the key frame of up to ten seconds ago.
    @Test(arguments: [PlayerKind.playbin, .branches]) func inAPauseThePictureWhereItStandsComesBack(
        _ kind: PlayerKind
    ) throws {
        let clip = try ReferencePictures.long(distance: 50)
        let player = try #require(try SwitchedPlayer(kind.patient(clip.path)))
        defer { player.end() }
        player.pipeline.setState(.playing)
        #expect(SwitchedPlayer.wait { player.sight.right != nil })
        #expect(player.hide())
        #expect(SwitchedPlayer.wait { player.said("due") > 0 })
        player.output.endDecoder(of: 0)
        let until = player.now + .milliseconds(400)
        #expect(SwitchedPlayer.wait { player.now > until })
        player.pipeline.setState(.paused)
        let stood = try #require(player.pipeline.pausedAt)
        player.show()
        #expect(player.pipeline.state(timeout: .seconds(60)) == (.success, .paused))
        #expect(SwitchedPlayer.wait { !player.sight.pictures.isEmpty })
        let first = try #require(player.sight.pictures.first)
        #expect(first.pts <= stood && first.pts + .milliseconds(40) > stood, "\(first.pts) for \(stood)")
        #expect(clip.sums[first.pts] == first.sum)
    }

    /// A live pipeline shows what comes to it after its latency: the key frame of that time comes back, not one that is due later.
    @Test func picturesThatAreShownLateComeBackInTime() throws {
        let player = try #require(
            try SwitchedPlayer(
                "videotestsrc is-live=true ! video/x-raw,width=80,height=60,framerate=25/1"
                    + " ! x264enc tune=zerolatency speed-preset=ultrafast key-int-max=5 ! h264parse"
                    + " ! queue max-size-time=0 ! avdec_h264 name=decoder ! fakesink name=eyes sync=true"
                    + " audiotestsrc is-live=true ! queue max-size-time=0 ! fakesink name=ears sync=true"))
        defer { player.end() }
        let latency = ClockTime.seconds(3)
        let pipeline = UnsafeMutableRawPointer(player.pipeline.element.pointer)
        gst_pipeline_set_latency(pipeline.assumingMemoryBound(to: GstPipeline.self), ClockTime.raw(latency))
        player.pipeline.recalculateLatency()
        #expect(SwitchedPlayer.wait { player.sight.pictures.count > 3 && player.hearing.buffers > 3 })
        #expect(player.hide())
        #expect(player.output.time.latency == latency)
        let heard = player.hearing.buffers
        #expect(SwitchedPlayer.wait { player.hearing.buffers > heard + 40 })
        if player.said("due") > 0 { player.output.endDecoder(of: 0) }
        player.show()
        #expect(SwitchedPlayer.wait { !player.sight.pictures.isEmpty })
        let now = try #require(ClockTime(gst_element_get_current_running_time(player.pipeline.element.pointer)))
        let first = try #require(player.sight.pictures.first)
        let segment = player.pipeline.element(named: "eyes")?.pad(named: "sink")?.currentSegment
        let begin = try #require(segment?.runningTime(of: first.pts))
        #expect(begin <= now - latency, "\(begin) at \(now)")
    }

    /// It kept pictures of a display that shows them at once for as long as a sink beside it is late, and the camera's queue was full.
    @Test func aScreenThatWaitsForNothingIsNotLate() throws {
        let player = try #require(
            try SwitchedPlayer(
                "videotestsrc is-live=true ! video/x-raw,width=80,height=60,framerate=25/1 ! queue"
                    + " ! fakesink name=eyes sync=false"
                    + " audiotestsrc is-live=true ! queue max-size-time=0 ! fakesink name=ears sync=true"))
        defer { player.end() }
        let pipeline = UnsafeMutableRawPointer(player.pipeline.element.pointer)
        gst_pipeline_set_latency(pipeline.assumingMemoryBound(to: GstPipeline.self), ClockTime.raw(.seconds(3)))
        player.pipeline.recalculateLatency()
        #expect(SwitchedPlayer.wait { player.sight.pictures.count > 3 && player.hearing.buffers > 3 })
        let ears = try #require(player.pipeline.element(named: "ears"))
        #expect(ClockTime(mh_gst_sink_latency(ears.pointer)) == .seconds(3))
        #expect(player.hide())
        #expect(player.output.time.latency == .zero)
    }

    /// A build may end in any of its steps.
    @Test func endsWhileHiddenAndWhileFed() throws {
        let clip = try ReferencePictures(frames: 75, distance: 75)
        defer { clip.remove() }
        for showsAgain in [false, true] {
            let player = try #require(try SwitchedPlayer(PlayerKind.playbin.launch(clip.path)))
            player.pipeline.setState(.playing)
            #expect(SwitchedPlayer.wait { !player.sight.pictures.isEmpty })
            #expect(player.hide())
            if showsAgain { player.show() }
            player.end()
            #expect(player.pipeline.state(timeout: .seconds(10)).current == .null)
        }
    }
}
