import GStreamerKit
import Testing

@testable import HostCore

@Suite struct MediaTimelineTests {
    static let frame = ClockTime.milliseconds(40)

    private func timeline(_ kinds: MediaTimeline.Kind?...) -> MediaTimeline {
        var timeline = MediaTimeline()
        for kind in kinds {
            let stream = timeline.addStream()
            if let kind { timeline.setKind(kind, of: stream) }
        }
        timeline.beginEpoch()
        return timeline
    }

    private func media(
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
}
