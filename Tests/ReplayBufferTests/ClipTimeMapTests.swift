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
        plan.finish()
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

    /// Three pictures between any two references, 20 a second: a reference is decoded 0.2 s after the one before.
    private func reordered(_ numbers: Range<Int64>, decoding: Int64, stall: (after: Int64, length: Int64)? = nil)
        -> [Frame]
    {
        let step = second / 20
        func time(_ number: Int64) -> Int64 {
            number * step + (stall.map { number > $0.after ? $0.length : 0 } ?? 0)
        }
        var order: [Int64] = [numbers.lowerBound]
        for base in stride(from: numbers.lowerBound, to: numbers.upperBound - 4, by: 4) {
            order += [base + 4, base + 2, base + 1, base + 3]
        }
        return order.enumerated().map { index, number in
            var frame = Frame()
            (frame.pts, frame.duration, frame.format, frame.epoch) = (time(number), step, 1, 1)
            frame.dts = time(numbers.lowerBound + Int64(index) - decoding)
            frame.isKey = index == 0
            return frame
        }
    }

    /// A reference picture comes long before what is shown before it: that is no gap.
    @Test func reorderedPicturesAreNoGap() {
        let frames = reordered(0..<41, decoding: 2)
        for duration in [second / 20, 0] {
            let all = frames.map { frame in
                var frame = frame
                frame.duration = duration
                return frame
            }
            let made = plan(.close, all)
            #expect(all.indices.allSatisfy { made.includes(all[$0], UInt64($0)) })
            #expect(all.allSatisfy { made.map.time($0.pts) == $0.pts } && made.shownFrames == 41)
        }
    }

    @Test func aStallAmongReorderedPicturesIsClosedWhereItIsShown() {
        let still = reordered(0..<41, decoding: 2)
        // Between two references, and in the middle of the pictures between them.
        for after in Int64(17)...20 {
            let frames = reordered(0..<41, decoding: 2, stall: (after, 3 * second))
            let made = plan(.close, frames)
            #expect(frames.indices.allSatisfy { made.includes(frames[$0], UInt64($0)) })
            #expect(frames.map { made.map.time($0.pts) } == still.map(\.pts))
            let decoding = frames.map { made.map.decodeTime($0.dts) }
            #expect(decoding == still.map(\.dts), "after \(after)")
        }
    }

    @Test func timesOfDecodingFollowThePicturesOverAPause() {
        // The first picture of the second run is decoded a tenth of a second before its time.
        let first = reordered(0..<41, decoding: 2)
        let again = reordered(41..<82, decoding: 2).map { frame in
            var frame = frame
            frame.epoch = 2
            return frame
        }
        let map = plan(.restore, first + again, pauses: [2: 5 * second]).map
        #expect(first.allSatisfy { map.time($0.pts) == $0.pts && map.decodeTime($0.dts) == $0.dts })
        #expect(again.allSatisfy { map.time($0.pts) == $0.pts + 5 * second })
        #expect(again.allSatisfy { map.decodeTime($0.dts) == $0.dts + 5 * second })
    }

    @Test func restoredGapsAreAsLongAsThePauseWas() {
        let map = plan(.restore, stalled, pauses: [2: 7 * second]).map
        #expect(stalled.map { map.time($0.pts) / Self.step } == Array(0..<10) + Array(30..<35) + Array(105..<110))
    }

    @Test func soundOfOtherCapsIsLeftOutAndCounted() {
        let frames = [frame(0), frame(1, track: 1, format: 2), frame(1), frame(2, track: 1, format: 3), frame(2)]
        let made = plan(.keep, frames)
        #expect(made.leftOut == 1)
        #expect(
            made.tracks == [
                .init(format: 1, frames: 3, first: 0, last: 4, end: 3 * Self.step),
                .init(format: 2, frames: 1, first: 1, last: 1, end: 2 * Self.step),
            ])
        #expect(made.includes(frames[1], 1) && !made.includes(frames[3], 3))
    }

    /// All of it is hidden with the pictures before: a track without an edit would be played from its beginning.
    @Test func anExactClipHasTheSoundFromTheKeyFrameOnButNoneThatIsOver() {
        let frames = (0..<10).map { frame($0) }
        func plan(sound: [Frame]) -> ClipPlan {
            let all = frames + sound
            let clip = ClipRange(
                slot: 0, first: 0, end: UInt64(all.count), key: 0, format: 1, start: 0, finish: .max,
                wanted: 5 * Self.step, cut: nil)
            var plan = ClipPlan(clip, tracks: 2, gaps: .keep, exact: true)
            for frame in all { plan.look(at: frame) { _ in 0 } }
            plan.finish()
            return plan
        }
        let early = (0..<5).map { frame($0, track: 1, format: 2) }
        #expect(plan(sound: early).tracks[1] == nil)
        let long = early + [frame(5, track: 1, format: 2)]
        let made = plan(sound: long)
        #expect(made.tracks[1]?.frames == 6)
        #expect(long.indices.allSatisfy { made.includes(long[$0], UInt64(10 + $0)) })
    }

    @Test func pausesAreMeasuredByTheClockThatGoesOnInSuspend() {
        var epochs = EpochList()
        epochs.begin(1, at: 100, lastFrame: nil)
        epochs.begin(2, at: 900, lastFrame: 250)
        #expect(epochs.pause(before: 1) == 0 && epochs.pause(before: 2) == 650 && epochs.pause(before: 3) == 0)
    }
}
