import GStreamerKit
import Testing

@testable import HostCore

@Suite struct MediaTimelineTests {
    static let frame = ClockTime.milliseconds(40)

    func timeline(_ kinds: MediaTimeline.Kind?...) -> MediaTimeline {
        var timeline = MediaTimeline()
        for kind in kinds {
            let stream = timeline.addStream()
            if let kind { timeline.setKind(kind, of: stream) }
        }
        timeline.beginEpoch()
        return timeline
    }

    func media(
        _ timeline: inout MediaTimeline, _ stream: Int = 0, _ runningTime: ClockTime, _ duration: ClockTime? = frame
    ) -> ClockTime? {
        guard case .at(let offset) = timeline.place(stream, runningTime: runningTime, duration: duration) else {
            return nil
        }
        return runningTime + offset
    }

    @Test func mediaTimeBeginsAtZeroWithTheFirstFrame() {
        var timeline = timeline(.video)
        #expect(media(&timeline, 0, .milliseconds(4711)) == .zero)
        #expect(media(&timeline, 0, .milliseconds(4751)) == .milliseconds(40))
    }

    /// Whose listener has not come back from a call keeps nobody; when it is back it goes on where the line is.
    @Test func nobodyWaitsForWhoIsMissed() {
        var timeline = timeline(.video, .audio)
        #expect(media(&timeline, 0, .zero) == .zero)
        #expect(media(&timeline, 1, .zero) == .zero)
        timeline.beginEpoch()
        #expect(media(&timeline, 1, .milliseconds(5)) == nil)
        timeline.setMissed(true, 0)
        #expect(media(&timeline, 1, .milliseconds(45)) == .milliseconds(40))
        timeline.setMissed(false, 0)
        #expect(media(&timeline, 0, .milliseconds(85)) == .milliseconds(80))
        timeline.beginEpoch()
        #expect(media(&timeline, 1, .milliseconds(5)) == nil)
    }

    /// As network cameras do: each pause and each build began with the time of the last picture, once more.
    @Test(arguments: [false, true]) func whatTellsNoLengthLastsUntilTheNext(isPaused: Bool) {
        var timeline = timeline(.video)
        // One gap is no length.
        for time: Int64 in [0, 40, 80, 980, 1020] { _ = media(&timeline, 0, .milliseconds(time), nil) }
        if isPaused { timeline.endPause(at: .milliseconds(1025)) } else { timeline.beginEpoch() }
        let next: Int64 = isPaused ? 1030 : 7
        #expect(media(&timeline, 0, .milliseconds(next), nil) == .milliseconds(1060))
        #expect(media(&timeline, 0, .milliseconds(next + 40), nil) == .milliseconds(1100))
        // Texts are seconds apart: nothing is known of their length, and nothing of them is lost.
        var texts = self.timeline(.video, .other)
        for time: Int64 in [0, 30, 60] {
            _ = media(&texts, 0, .seconds(time), .seconds(30))
            #expect(media(&texts, 1, .seconds(time), nil) == .seconds(time))
        }
        texts.endPause(at: .seconds(60))
        #expect(media(&texts, 0, .seconds(61), .seconds(30)) == .seconds(90))
        #expect(media(&texts, 1, .seconds(61), nil) == .seconds(90))
        // Nothing is known of the first: what follows lies behind it all the same.
        var single = self.timeline(.video)
        #expect(media(&single, 0, .zero, nil) == .zero)
        single.beginEpoch()
        #expect(media(&single, 0, .milliseconds(5), nil) == ClockTime(nanoseconds: 1))
    }

    @Test func aRestartStepsExactlyOneFrame() {
        var timeline = timeline(.video)
        for index in 0..<10 { _ = media(&timeline, 0, .milliseconds(Int64(5 + 40 * index))) }
        timeline.beginEpoch()
        #expect(timeline.epoch == 2)
        #expect(media(&timeline, 0, .milliseconds(17)) == .milliseconds(400))
        #expect(media(&timeline, 0, .milliseconds(57)) == .milliseconds(440))
    }

    @Test func aRestartWithBFramesFollowsTheLargestEndNotTheLastFrame() {
        var timeline = timeline(.video)
        // Decode order I P B B: presentation 0, 3, 1, 2.
        #expect(
            [0, 3, 1, 2].map { media(&timeline, 0, .milliseconds(40 * $0)) }
                == [0, 3, 1, 2].map { .milliseconds(40 * $0) })
        timeline.beginEpoch()
        #expect(
            [0, 3, 1, 2].map { media(&timeline, 0, .milliseconds(40 * $0)) }
                == [4, 7, 5, 6].map { .milliseconds(40 * $0) })
    }

    @Test func aRealGapWhilePlayingStaysAGap() {
        var timeline = timeline(.video)
        _ = media(&timeline, 0, .zero)
        #expect(media(&timeline, 0, .seconds(7)) == .seconds(7))
    }

    @Test func audioWaitsForTheVideoAndKeepsItsPhase() {
        var timeline = timeline(.audio, .video)
        #expect(media(&timeline, 0, .milliseconds(1), .milliseconds(20)) == nil)
        #expect(media(&timeline, 1, .milliseconds(30)) == .zero)
        #expect(media(&timeline, 0, .milliseconds(21), .milliseconds(20)) == nil)  // before the first frame
        #expect(media(&timeline, 0, .milliseconds(41), .milliseconds(20)) == .milliseconds(11))
    }

    @Test func audioThatRanAheadIsNotRepeatedAfterARestart() {
        var timeline = timeline(.video, .audio)
        _ = media(&timeline, 0, .zero)
        // Ends at 50 ms, the video at 40 ms.
        #expect(media(&timeline, 1, .milliseconds(30), .milliseconds(20)) == .milliseconds(30))
        timeline.beginEpoch()
        #expect(media(&timeline, 0, .milliseconds(5)) == .milliseconds(40))
        #expect(media(&timeline, 1, .milliseconds(5), .milliseconds(20)) == nil)  // 40 lies before its own end
        #expect(media(&timeline, 1, .milliseconds(25), .milliseconds(20)) == .milliseconds(60))
    }

    @Test func aStreamThatCouldBeVideoIsWaitedForOnlySoLong() {
        var timeline = timeline(.audio, nil)
        #expect(media(&timeline, 0, .zero, .milliseconds(20)) == nil)
        #expect(media(&timeline, 0, .milliseconds(980), .milliseconds(20)) == nil)
        #expect(media(&timeline, 0, .milliseconds(1000), .milliseconds(20)) == .zero)
    }

    @Test func audioAloneIsItsOwnReference() {
        var timeline = timeline(.audio)
        #expect(media(&timeline, 0, .milliseconds(3), .milliseconds(20)) == .zero)
        timeline.beginEpoch()
        #expect(media(&timeline, 0, .milliseconds(9), .milliseconds(20)) == .milliseconds(20))
    }

    @Test func theFrameAfterAPauseIsMovedToOneFrame() {
        var timeline = timeline(.video, .audio)
        _ = media(&timeline, 0, .zero)
        _ = media(&timeline, 1, .zero, .milliseconds(20))
        timeline.endPause()
        // Running time stood still; the camera's next frame comes 0.9 ms after the last one's begin.
        #expect(media(&timeline, 0, ClockTime(nanoseconds: 900_000)) == .milliseconds(40))
        #expect(media(&timeline, 0, ClockTime(nanoseconds: 40_900_000)) == .milliseconds(80))
        #expect(timeline.epoch == 1)
    }

    /// Frames that were on their way when it was paused come first, and are followed by the one that lies elsewhere.
    @Test(arguments: [52, 80, 91]) func framesOfBeforeAPauseDoNotEndIt(_ next: Int64) {
        var timeline = timeline(.video)
        _ = media(&timeline, 0, .zero)
        timeline.endPause(at: .milliseconds(52))
        #expect(media(&timeline, 0, .milliseconds(40)) == .milliseconds(40))
        #expect(media(&timeline, 0, .milliseconds(next)) == .milliseconds(80))
        #expect(media(&timeline, 0, .milliseconds(next + 40)) == .milliseconds(120))
        // It is over: what is missing from now on is a gap.
        #expect(media(&timeline, 0, .milliseconds(next + 120)) == .milliseconds(200))
    }

    @Test func buffersWithoutDurationUseTheLastOneKnown() {
        var timeline = timeline(.video)
        _ = media(&timeline, 0, .zero)
        _ = media(&timeline, 0, .milliseconds(40), nil)
        timeline.beginEpoch()
        #expect(media(&timeline, 0, .zero, nil) == .milliseconds(80))
    }

    @Test func anUnknownStreamHasNoPlace() {
        var timeline = timeline(.video)
        #expect(timeline.place(7, runningTime: .zero, duration: nil) == .drop)
        #expect(timeline.place(0, runningTime: nil, duration: nil) == .drop)
    }

    /// The first buffer after a pause is the next to be decoded, not the next to be shown.
    @Test func aPauseInTheMiddleOfBFramesMovesNothing() {
        var timeline = timeline(.video)
        func place(_ presentation: Int64, _ decode: Int64) -> ClockTime? {
            let pts = ClockTime.milliseconds(40 * presentation)
            let dts = ClockTime.milliseconds(40 * decode)
            guard case .at(let offset) = timeline.place(0, runningTime: pts, decodeTime: dts, duration: Self.frame)
            else { return nil }
            return pts + offset
        }
        var shown = [(0, -2), (3, -1), (1, 0), (2, 1)].map { place($0.0, $0.1) }
        timeline.endPause()
        shown += [(6, 2), (4, 3), (5, 4)].map { place($0.0, $0.1) }
        #expect(shown == [0, 3, 1, 2, 6, 4, 5].map { .milliseconds(40 * $0) })
    }

    @Test func audioThatWouldGoBackAfterAPauseIsDropped() {
        var timeline = timeline(.video, .audio)
        _ = media(&timeline, 0, .zero)
        _ = media(&timeline, 1, .milliseconds(100), .milliseconds(20))
        timeline.endPause()
        // Video comes 60 ms late: everything moves back by as much.
        #expect(media(&timeline, 0, .milliseconds(100)) == .milliseconds(40))
        #expect(media(&timeline, 1, .milliseconds(120), .milliseconds(20)) == nil)
        #expect(media(&timeline, 1, .milliseconds(180), .milliseconds(20)) == .milliseconds(120))
    }

    // MARK: - Several streams over a pause

    /// Sound that comes first closed the pause once: with more than a second of the epoch behind it, it took itself for the
    /// reference, and the next picture stepped anything.
    @Test func soundThatComesFirstAfterALivePauseWaitsForThePicture() {
        var timeline = timeline(.video, .audio)
        for index in 0..<50 {
            _ = media(&timeline, 0, .milliseconds(Int64(40 * index)))
            for half in 0..<2 {
                _ = media(&timeline, 1, .milliseconds(Int64(40 * index + 20 * half)), .milliseconds(20))
            }
        }
        timeline.endPause(at: .milliseconds(2010))
        #expect(media(&timeline, 1, .milliseconds(2013), .milliseconds(20)) == nil)
        #expect(media(&timeline, 0, .milliseconds(2025)) == .milliseconds(2000))
        // 25 ms back, as the pictures: it would begin before its own end.
        #expect(media(&timeline, 1, .milliseconds(2023), .milliseconds(20)) == nil)
        #expect(media(&timeline, 1, .milliseconds(2043), .milliseconds(20)) == .milliseconds(2018))
        #expect(media(&timeline, 0, .milliseconds(2065)) == .milliseconds(2040))
    }

    /// Sound was placed at the old offset until a late picture moved it: 300 ms away from its picture.
    @Test func soundIsNeverAwayFromALatePicture() {
        var timeline = timeline(.video, .audio)
        _ = media(&timeline, 0, .zero)
        for index in 0..<2 { _ = media(&timeline, 1, .milliseconds(Int64(20 * index)), .milliseconds(20)) }
        timeline.endPause(at: .milliseconds(40))
        for index in 0..<15 {
            #expect(media(&timeline, 1, .milliseconds(Int64(45 + 20 * index)), .milliseconds(20)) == nil)
        }
        #expect(media(&timeline, 0, .milliseconds(340)) == .milliseconds(40))
        #expect(media(&timeline, 1, .milliseconds(345), .milliseconds(20)) == .milliseconds(45))
    }

    /// What was on its way when it was paused has its place.
    @Test func soundOfBeforeAPauseIsKept() {
        var timeline = timeline(.video, .audio)
        _ = media(&timeline, 0, .zero)
        _ = media(&timeline, 1, .zero, .milliseconds(20))
        timeline.endPause(at: .milliseconds(39))
        #expect(media(&timeline, 1, .milliseconds(20), .milliseconds(20)) == .milliseconds(20))
        #expect(media(&timeline, 1, .milliseconds(51), .milliseconds(20)) == nil)
        #expect(media(&timeline, 0, .milliseconds(45)) == .milliseconds(40))
    }

    /// A file's sound goes on where it was: nothing of it is missing, so nothing may be dropped.
    @Test func theSoundOfAFileDoesNotWait() {
        var timeline = timeline(.video, .audio)
        _ = media(&timeline, 0, .zero)
        _ = media(&timeline, 1, .zero, .milliseconds(20))
        timeline.endPause(at: .milliseconds(5), isLive: false)
        // A source that was interrupted said the same once more.
        #expect(media(&timeline, 1, .zero, .milliseconds(20)) == nil)
        #expect(media(&timeline, 1, .milliseconds(20), .milliseconds(20)) == .milliseconds(20))
        #expect(media(&timeline, 1, .milliseconds(40), .milliseconds(20)) == .milliseconds(40))
        #expect(media(&timeline, 0, .milliseconds(40)) == .milliseconds(40))
    }

    @Test func soundGoesOnAloneWhereThePicturesStayAway() {
        var timeline = timeline(.video, .audio)
        _ = media(&timeline, 0, .zero)
        _ = media(&timeline, 1, .zero, .milliseconds(20))
        timeline.endPause(at: .milliseconds(30))
        #expect(media(&timeline, 1, .milliseconds(1020), .milliseconds(20)) == nil)
        #expect(media(&timeline, 1, .milliseconds(1040), .milliseconds(20)) == .milliseconds(1040))
        // They come back: that was a real gap.
        #expect(media(&timeline, 0, .milliseconds(3040)) == .milliseconds(3040))
        #expect(media(&timeline, 1, .milliseconds(3040), .milliseconds(20)) == .milliseconds(3040))
    }

    /// An encoder that looks two seconds ahead: the sound is past its patience when the first picture comes, which is none that is
    /// late. Time went back where sound had moved the line meanwhile.
    @Test func picturesThatTakeLongOnTheirWayStepOneFrame() {
        var timeline = timeline(.video, .audio)
        _ = media(&timeline, 0, .zero)
        _ = media(&timeline, 1, .zero, .milliseconds(20))
        timeline.endPause(at: .milliseconds(30))
        for index in 0..<100 { _ = media(&timeline, 1, .milliseconds(Int64(33 + 20 * index)), .milliseconds(20)) }
        #expect(media(&timeline, 0, .milliseconds(35)) == .milliseconds(40))
        #expect(media(&timeline, 0, .milliseconds(75)) == .milliseconds(80))
    }

    /// Nothing came for two seconds, and then it was paused: those two seconds were not spent in the pause.
    @Test func aStallBeforeAPauseStaysAGap() {
        var timeline = timeline(.video)
        _ = media(&timeline, 0, .zero)
        timeline.endPause(at: .milliseconds(2040))
        #expect(media(&timeline, 0, .milliseconds(2060)) == .milliseconds(2040))
        #expect(media(&timeline, 0, .milliseconds(2100)) == .milliseconds(2080))
    }

    /// Pictures that were passing when it was paused move the line once, the next one again: sound went back by the second move.
    @Test func soundDoesNotGoBackWhereTheLineMovesTwice() {
        var timeline = timeline(.video, .audio)
        _ = media(&timeline, 0, .zero)
        _ = media(&timeline, 1, .milliseconds(160), .milliseconds(20))
        timeline.endPause(at: .milliseconds(190))
        #expect(media(&timeline, 0, .milliseconds(100)) == .milliseconds(40))
        #expect(media(&timeline, 1, .milliseconds(180), .milliseconds(20)) == nil)
        #expect(media(&timeline, 0, .milliseconds(195)) == .milliseconds(80))
        for index in 0..<4 {
            #expect(media(&timeline, 1, .milliseconds(Int64(200 + 20 * index)), .milliseconds(20)) == nil)
        }
        #expect(media(&timeline, 1, .milliseconds(300), .milliseconds(20)) == .milliseconds(185))
    }

    /// A packet without a length was told once more, or time went back by a part of it.
    @Test(arguments: [false, true]) func soundThatTellsNoLengthIsNotToldTwice(isPaused: Bool) {
        var timeline = timeline(.video, .audio)
        for index in 0..<5 {
            _ = media(&timeline, 0, .milliseconds(Int64(40 * index)))
            for half in 0..<2 { _ = media(&timeline, 1, .milliseconds(Int64(40 * index + 20 * half)), nil) }
        }
        // The last packet lies from 180 to 200 ms.
        if isPaused { timeline.endPause(at: .milliseconds(205)) } else { timeline.beginEpoch() }
        let picture: Int64 = isPaused ? 225 : 25
        #expect(media(&timeline, 0, .milliseconds(picture)) == .milliseconds(200))
        #expect(media(&timeline, 1, .milliseconds(picture - 20), nil) == nil)
        #expect(media(&timeline, 1, .milliseconds(picture - 5), nil) == nil)
        #expect(media(&timeline, 1, .milliseconds(picture + 15), nil) == .milliseconds(215))
    }

    /// A plugin that was begun in a pause took the step of one frame from all the others: its own first picture ended the pause.
    @Test func whoHasJustComeEndsNobodysPause() {
        var timeline = timeline(.video)
        for index in 0..<5 { _ = media(&timeline, 0, .milliseconds(Int64(40 * index))) }
        let late = timeline.addStream()
        timeline.setKind(.video, of: late)
        timeline.endPause(at: .milliseconds(205))
        // Each picture comes to it first.
        #expect(media(&timeline, late, .milliseconds(215)) == nil)
        #expect(media(&timeline, 0, .milliseconds(215)) == .milliseconds(200))
        #expect(media(&timeline, late, .milliseconds(255)) == .milliseconds(240))
        #expect(media(&timeline, 0, .milliseconds(255)) == .milliseconds(240))
        // It is alone when the next one ends.
        timeline.removeStream(0)
        timeline.endPause(at: .milliseconds(300))
        #expect(media(&timeline, late, .milliseconds(310)) == .milliseconds(280))
    }

    // MARK: - Streams that go

    /// The edge stood for good where the plugin that listened to the reference was disabled.
    @Test func theEdgeFollowsAnotherStreamWhereTheReferenceIsGone() {
        var timeline = timeline(.video, .audio)
        func place(_ stream: Int, _ milliseconds: Int64, _ duration: Int64) {
            _ = timeline.place(
                stream, runningTime: .milliseconds(milliseconds), duration: .milliseconds(duration),
                now: .milliseconds(milliseconds))
        }
        place(0, 0, 40)
        place(1, 0, 20)
        #expect(timeline.edge.time(at: .milliseconds(40)) == .milliseconds(40))
        timeline.removeStream(0)
        place(1, 20, 20)
        place(1, 40, 20)
        #expect(timeline.edge.time(at: .milliseconds(60)) == .milliseconds(60))
        // One that comes is followed again: pictures before sound.
        let video = timeline.addStream()
        #expect(video == 0)
        timeline.setKind(.video, of: video)
        place(video, 80, 40)
        place(1, 60, 20)
        #expect(timeline.edge.time(at: .milliseconds(120)) == .milliseconds(120))
    }

    /// Nobody waits for the pictures of a plugin that was disabled, and the line goes on behind them.
    @Test func aStreamThatIsGoneIsNotWaitedFor() {
        var timeline = timeline(.video, .audio)
        for index in 0..<3 { _ = media(&timeline, 0, .milliseconds(Int64(40 * index))) }
        timeline.removeStream(0)
        timeline.beginEpoch()
        #expect(media(&timeline, 1, .milliseconds(7), .milliseconds(20)) == .milliseconds(120))
        let video = timeline.addStream()
        timeline.setKind(.video, of: video)
        timeline.beginEpoch()
        #expect(media(&timeline, video, .milliseconds(9)) == .milliseconds(120))
        #expect(media(&timeline, 1, .milliseconds(9), .milliseconds(20)) == nil)
        #expect(media(&timeline, 1, .milliseconds(29), .milliseconds(20)) == .milliseconds(140))
    }
}
