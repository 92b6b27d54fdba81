import Testing

@testable import ReplayBuffer

@Suite struct ClipTimeMapTests {
    private static let step = second / 10

    private func plan(_ gaps: ClipPlan.Gaps, _ frames: [Frame], pauses: [UInt32: Int64] = [:]) -> ClipPlan {
        let clip = ClipRange(
            slot: 0, first: 0, end: UInt64(frames.count), key: 0, format: 1, start: frames[0].pts, finish: .max,
            wanted: frames[0].pts, cut: nil)
        var plan = ClipPlan(clip, tracks: 2, gaps: gaps)
        for frame in frames { plan.look(at: frame) { pauses[$0] ?? 0 } }
        return plan
    }

    private func frame(_ tenths: Int64, epoch: UInt32 = 1, track: UInt8 = 0, format: UInt16 = 1) -> Frame {
        var frame = Frame()
        (frame.pts, frame.duration, frame.epoch) = (tenths * Self.step, Self.step, epoch)
        (frame.track, frame.format, frame.isKey) = (track, format, track == 0)
        return frame
    }

    /// 10 frames from 5 s on, 2 s of nothing, 5 frames, a pause of 7 s that the timeline has closed, 5 frames.
    private var stalled: [Frame] {
        (50..<60).map { frame($0) } + (80..<85).map { frame($0) } + (85..<90).map { frame($0, epoch: 2) }
    }

    @Test func keptGapsAreThoseOfTheTimeline() {
        let map = plan(.keep, stalled).map
        #expect(stalled.map { map.time($0.pts) / Self.step } == Array(0..<10) + Array(30..<40))
    }

    @Test func closedGapsAreGone() {
        let made = plan(.close, stalled)
        #expect(stalled.map { made.map.time($0.pts) / Self.step } == Array(0..<20))
        // Sound that went on meanwhile has no place.
        #expect(!made.includes(frame(70, track: 1, format: 2), 3))
        #expect(made.map.isInside(60 * Self.step) && !made.map.isInside(80 * Self.step))
    }

    @Test func restoredGapsAreAsLongAsThePauseWas() {
        let map = plan(.restore, stalled, pauses: [2: 7 * second]).map
        #expect(stalled.map { map.time($0.pts) / Self.step } == Array(0..<10) + Array(30..<35) + Array(105..<110))
    }

    @Test func soundOfOtherCapsIsLeftOutAndCounted() {
        let frames = [frame(0), frame(1, track: 1, format: 2), frame(1), frame(2, track: 1, format: 3), frame(2)]
        let made = plan(.keep, frames)
        #expect(made.leftOut == 1)
        #expect(made.tracks == [.init(format: 1, frames: 3), .init(format: 2, frames: 1)])
        #expect(made.includes(frames[1], 1) && !made.includes(frames[3], 3))
    }

    @Test func pausesAreMeasuredByTheClockThatGoesOnInSuspend() {
        var epochs = EpochList()
        epochs.begin(1, at: 100, lastFrame: nil)
        epochs.begin(2, at: 900, lastFrame: 250)
        #expect(epochs.pause(before: 1) == 0 && epochs.pause(before: 2) == 650 && epochs.pause(before: 3) == 0)
    }
}
