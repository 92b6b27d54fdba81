import Testing

@testable import ReplayBuffer

/// 30 frames a second, of which each comes when it begins.
private let step = second / 30

extension LivePosition {
    /// Frames `from` up to `to`, the first at `start`; the time when the next one is due.
    fileprivate mutating func feed(_ numbers: Range<Int64>, from start: Int64) -> Int64 {
        var time = start
        for number in numbers {
            _ = frame(end: (number + 1) * step, length: step, at: time)
            time += step
        }
        return time
    }
}

@Suite struct LivePositionTests {
    @Test func theEdgeMovesThroughTheNewestFrameAndWaitsAtItsEnd() {
        var live = LivePosition()
        #expect(live.now(at: 5) == nil && live.delay(at: 5) == nil)
        _ = live.frame(end: 10 * second, length: second, at: 100)
        #expect(live.now(at: 100) == 9 * second)
        #expect(live.now(at: 100 + second / 2) == 9 * second + second / 2)
        #expect(live.now(at: 100 + 7 * second) == 10 * second)
        #expect(live.offset(at: 100) == 9 * second - 100)
        #expect(live.delay(at: 100) == 0)
    }

    /// The seed's problems A to D: nothing wiped, no correction, no early start, no gap of start-up.
    @Test func overAPauseNowAndDelayAreBitIdenticalAndTheFirstFrameLetsBothGo() {
        var live = LivePosition()
        var time = live.feed(0..<300, from: 1000)
        live.seek(to: live.now(at: time)! - 3 * second, at: time)
        time = live.feed(300..<330, from: time)
        let before = live.delay(at: time)
        #expect(before == 3 * second)
        live.willPause(at: time)
        // Two more frames until the pipeline stands.
        time = live.feed(330..<332, from: time)
        live.hold(at: time + 4_000_000)
        live.didPause(at: time + 70_000_000)
        let (now, delay) = (live.now(at: time + 70_000_000), live.delay(at: time + 70_000_000))
        #expect(now == 332 * step && delay == before)
        for tenths in Int64(1)...50 {
            let later = time + tenths * second / 10
            #expect(live.now(at: later) == now)
            #expect(live.delay(at: later) == delay)
        }
        // Back: 0.4 s of start-up and warm-up before the first frame.
        live.willResume()
        let resumed = time + 5 * second
        #expect(live.now(at: resumed + 400_000_000) == now)
        #expect(live.delay(at: resumed + 400_000_000) == delay)
        #expect(live.viewer == .held(position: now! - delay!, rate: 1))
        time = live.feed(332..<333, from: resumed + 400_000_000)
        #expect(live.now(at: time - step) == now)
        #expect(live.delay(at: time - step) == before)
        time = live.feed(333..<400, from: time)
        #expect(live.now(at: time) == 400 * step)
        #expect(live.delay(at: time) == before)
    }

    @Test func whoWasPausedByTheUserStaysPausedAfterAResume() {
        var live = LivePosition()
        let time = live.feed(0..<300, from: 0)
        live.pause(at: time)
        let position = live.position(at: time)
        live.willPause(at: time)
        live.didPause(at: time)
        live.willResume()
        let later = live.feed(300..<600, from: time + 60 * second)
        #expect(live.viewer == .paused(position: 300 * step))
        #expect(live.position(at: later) == position)
        #expect(live.delay(at: later) == 300 * step)
    }

    @Test func aStallIsShownAsWhatItIs() {
        var live = LivePosition()
        var time = live.feed(0..<300, from: 0)
        live.seek(to: 290 * step - 3 * second, at: time)
        let delay = live.delay(at: time)!
        let now = live.now(at: time)!
        // The edge stands, who watches plays on.
        #expect(live.now(at: time + 2 * second) == now)
        #expect(live.delay(at: time + 2 * second) == delay - 2 * second + step)
        // It waits at the edge where it gets there.
        #expect(live.delay(at: time + 9 * second) == 0)
        // The frames are back: the gap is on the timeline, and the delay is what it was.
        time += 2 * second
        let begin = 300 * step + 2 * second
        let gap = live.frame(end: begin + step, length: step, at: time)
        #expect(gap?.from == 300 * step && gap?.to == begin)
        #expect(live.now(at: time) == begin)
        #expect(live.delay(at: time) == delay)
    }

    @Test func aStallThatTheTimelineCloses_KeepsThePlaceOfTheViewer() {
        var live = LivePosition()
        var time = live.feed(0..<300, from: 0)
        live.seek(to: 300 * step - 3 * second, at: time)
        let delay = live.delay(at: time)!
        let place = live.position(at: time + second)!
        // A second without frames, then the pipeline is built anew: media time goes on without the second.
        live.hold(at: time + second)
        #expect(live.position(at: time + 2 * second) == place)
        time = live.feed(300..<301, from: time + 2 * second) - step
        #expect(live.position(at: time) == place)
        #expect(live.delay(at: time) == delay - second + step)
    }

    /// A network that stands and then gives all at once: nothing is missing, and who watches notices nothing.
    @Test(arguments: [0, step / 8, step / 2])
    func aBurstOfLateFramesChangesNoDelay(distance: Int64) {
        var live = LivePosition()
        var time = live.feed(0..<300, from: 0)
        live.seek(to: 300 * step - 3 * second, at: time)
        let delay = live.delay(at: time)!
        time += 2 * second
        var place = live.position(at: time)!
        var number: Int64 = 300
        while number < 480 {
            _ = live.frame(end: (number + 1) * step, length: step, at: time)
            let position = live.position(at: time)!
            #expect(position - place >= 0 && position - place <= step + distance, "frame \(number)")
            place = position
            // The camera went on meanwhile; what is due comes at once, the rest when it is there.
            number += 1
            time = max(time + distance, number * step)
        }
        #expect(live.delay(at: time) == delay)
    }

    @Test func aPipelineThatGoesOnWhileTheHostIsQuietMovesTheEdgeAlone() {
        var live = LivePosition()
        var time = live.feed(0..<300, from: 0)
        live.seek(to: 300 * step - second, at: time)
        live.willPause(at: time)
        live.didPause(at: time)
        let place = live.position(at: time)
        time = live.feed(300..<330, from: time)
        #expect(live.now(at: time) == 330 * step)
        #expect(live.position(at: time) == place)
        live.willResume()
        time = live.feed(330..<331, from: time)
        time = live.feed(331..<361, from: time)
        // 31 frames passed while it was held, up to and with the wait for the first frame after the resume.
        #expect(live.delay(at: time) == second + 30 * step)
    }

    /// With `background: keep` frames go on to come; who followed the edge and is put elsewhere waits like everybody.
    @Test func aSeekWhileTheHostIsQuietWaitsForTheFirstFrameAfterIt() {
        var live = LivePosition()
        var time = live.feed(0..<300, from: 0)
        live.didPause(at: time)
        live.seek(to: 200 * step, at: time)
        #expect(live.viewer == .held(position: 200 * step, rate: 1))
        time = live.feed(300..<330, from: time)
        #expect(live.position(at: time) == 200 * step)
        live.willResume()
        time = live.feed(330..<361, from: time)
        #expect(live.position(at: time) == 231 * step)
    }

    @Test func aSourceThatStoppedCanBePlayedOn() {
        var live = LivePosition()
        let time = live.feed(0..<300, from: 0)
        live.hold(at: time)
        live.play(from: 100 * step, at: time + second)
        #expect(live.position(at: time + second) == 100 * step)
        #expect(live.position(at: time + 3 * second) == 100 * step + 2 * second)
        #expect(live.now(at: time + 3 * second) == 300 * step)
        // And when it comes back, nothing jumps.
        let place = live.position(at: time + 3 * second)
        _ = live.frame(end: 301 * step, length: step, at: time + 3 * second)
        #expect(live.position(at: time + 3 * second) == place)
    }

    @Test func ratesMoveTheViewerAgainstTheEdge() {
        var live = LivePosition()
        var time = live.feed(0..<600, from: 0)
        live.seek(to: 300 * step, at: time)
        live.play(rate: 2, at: time)
        time = live.feed(600..<660, from: time)
        #expect(live.position(at: time) == 420 * step)
        live.play(rate: -1, at: time)
        time = live.feed(660..<720, from: time)
        #expect(live.position(at: time) == 360 * step)
        // The oldest frame goes away under it.
        #expect(live.position(at: time, oldest: 400 * step) == 400 * step)
        live.play(rate: 0.5, at: time, oldest: 400 * step)
        time = live.feed(720..<780, from: time)
        #expect(live.position(at: time) == 430 * step)
        live.play(rate: 8, at: time)
        time = live.feed(780..<900, from: time)
        #expect(live.delay(at: time) == 0)
        live.goLive()
        #expect(live.position(at: time) == live.now(at: time))
    }

    /// What a viewer is told to do begins where it is, which is never before the oldest frame.
    @Test func whoseWasEvictedGoesOnFromWhatIsLeft() {
        func evicted() -> (LivePosition, Int64) {
            var live = LivePosition()
            var time = live.feed(0..<300, from: 0)
            live.seek(to: 60 * step, at: time)
            live.play(rate: 0.5, at: time)
            time = live.feed(300..<360, from: time)
            return (live, time)
        }
        let oldest = 200 * step
        var (live, time) = evicted()
        live.pause(at: time, oldest: oldest)
        #expect(live.viewer == .paused(position: oldest))
        live.play(at: time, oldest: 210 * step)
        time = live.feed(360..<390, from: time)
        #expect(live.position(at: time, oldest: 210 * step) == 240 * step)

        (live, time) = evicted()
        live.seek(to: 20 * step, at: time, oldest: oldest)
        #expect(live.position(at: time + 10 * step, oldest: .min).map { $0 >= oldest } == true)

        (live, time) = evicted()
        live.didPause(at: time, oldest: oldest)
        #expect(live.viewer == .held(position: oldest, rate: 0.5))

        // Nothing comes any more, so nothing is evicted: it plays on from the oldest frame at once.
        (live, time) = evicted()
        _ = live.frame(end: 361 * step, length: step, at: time, oldest: oldest)
        #expect(live.position(at: time + 41 * step, oldest: oldest) == oldest + 20 * step)
    }

    @Test func reorderedFramesMoveTheEdgeInTheOrderOfDecoding() {
        var live = LivePosition()
        // Decode times of B-frames over a restart step back by two frames.
        var time = live.feed(0..<30, from: 0)
        live.hold(at: time)
        for number in Int64(28)..<60 {
            let before = live.now(at: time)!
            _ = live.frame(end: (number + 1) * step, length: step, at: time)
            let jump = live.now(at: time)! - before
            #expect(jump >= 0 && jump <= step)
            time += step
        }
        #expect(live.now(at: time) == 60 * step)
    }

    /// What was taken out of the ring again is part of the gap, and the edge does not go back for it.
    @Test func aGapBeginsWhereWhatIsKeptEnds() {
        var live = LivePosition()
        let time = live.feed(0..<300, from: 0)
        let now = live.now(at: time)
        live.lost(after: 270 * step)
        #expect(live.now(at: time) == now)
        let gap = live.frame(end: 301 * step, length: step, at: time)
        #expect(gap?.from == 270 * step && gap?.to == 300 * step)
        #expect(live.frame(end: 302 * step, length: step, at: time + step) == nil)
    }

    @Test func scrubIsBetweenTheOldestAndTheEdge() {
        var live = LivePosition()
        let time = live.feed(0..<300, from: 0)
        live.seek(to: 225 * step, at: time)
        let timeline = Timeline(
            position: live, oldest: 150 * step, newest: 300 * step, isEmpty: false, epoch: 1, nextIndex: 10,
            segments: [], gaps: [])
        #expect(timeline.scrub(at: time) == 0.5)
    }
}
