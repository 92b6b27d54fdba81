import GStreamerKit
import Testing

@testable import HostCore

/// Pauses of streams that lag behind each other, of files, and of network cameras.
extension MediaTimelineTests {
    private func place(
        _ timeline: inout MediaTimeline, shown: Int64, decoded: Int64, _ duration: ClockTime? = frame
    ) -> ClockTime? {
        let time = ClockTime.milliseconds(shown)
        let placement = timeline.place(0, runningTime: time, decodeTime: .milliseconds(decoded), duration: duration)
        guard case .at(let offset) = placement else { return nil }
        return time + offset
    }

    /// An encoder had twelve frames of before the pause in its hands: each of them was told at the offset of after it, behind
    /// what had been told already.
    @Test func framesInAnEncoderKeepTheirPlaceOverAPause() {
        var timeline = timeline(.video, .video, .audio)
        for time in stride(from: Int64(0), through: 1000, by: 40) {
            #expect(media(&timeline, 0, .milliseconds(time)) == .milliseconds(time))
            if time <= 520 { #expect(media(&timeline, 1, .milliseconds(time)) == .milliseconds(time)) }
            if time <= 480 { _ = media(&timeline, 2, .milliseconds(time)) }
        }
        timeline.endPause(at: .milliseconds(1010))
        #expect(media(&timeline, 0, .milliseconds(1100)) == .milliseconds(1040))
        for time in stride(from: Int64(560), through: 1000, by: 40) {
            #expect(media(&timeline, 1, .milliseconds(time)) == .milliseconds(time))
        }
        #expect(media(&timeline, 1, .milliseconds(1100)) == .milliseconds(1040))
        // Sound in an encoder of its own, too; what would begin before its end is dropped.
        for time in stride(from: Int64(520), through: 1000, by: 40) {
            #expect(media(&timeline, 2, .milliseconds(time)) == .milliseconds(time))
        }
        #expect(media(&timeline, 2, .milliseconds(1020)) == nil)
        #expect(media(&timeline, 2, .milliseconds(1100)) == .milliseconds(1040))
    }

    /// Where the next pause comes before an encoder is through with what was before the last.
    @Test func framesInAnEncoderKeepTheirPlaceOverTwoPauses() {
        var timeline = timeline(.video, .video)
        for time: Int64 in [0, 40, 80] { _ = media(&timeline, 0, .milliseconds(time)) }
        _ = media(&timeline, 1, .zero)
        timeline.endPause(at: .milliseconds(90))
        #expect(media(&timeline, 0, .milliseconds(150)) == .milliseconds(120))
        timeline.endPause(at: .milliseconds(160))
        #expect(media(&timeline, 0, .milliseconds(210)) == .milliseconds(160))
        let placed = [40, 80, 150, 210].map { media(&timeline, 1, .milliseconds($0)) }
        #expect(placed == [40, 80, 120, 160].map { .milliseconds($0) })
    }

    /// A gap in what an encoder still had was taken for the pause.
    @Test func aGapOfBeforeAPauseStaysOneBehindAnEncoder() {
        var timeline = timeline(.video, .video)
        for time: Int64 in [0, 40, 200, 240] { _ = media(&timeline, 0, .milliseconds(time)) }
        for time: Int64 in [0, 40] { _ = media(&timeline, 1, .milliseconds(time)) }
        timeline.endPause(at: .milliseconds(250))
        #expect(media(&timeline, 1, .milliseconds(200)) == .milliseconds(200))
        #expect(media(&timeline, 0, .milliseconds(300)) == .milliseconds(280))
        #expect(media(&timeline, 1, .milliseconds(240)) == .milliseconds(240))
        #expect(media(&timeline, 1, .milliseconds(300)) == .milliseconds(280))
    }

    /// Running time stands still, and nothing of a file is missing: each picture keeps its place, in whatever order they come.
    @Test(arguments: [[0, 120, 40, 80, 240, 160, 200], [0, 33, 66, 1066, 1099, 1132, 1165]] as [[Int64]])
    func aPauseMovesNothingOfAFile(_ times: [Int64]) {
        var timeline = timeline(.video, .audio)
        _ = media(&timeline, 1, .zero)
        for (number, time) in times.enumerated() {
            if number == 3 { timeline.endPause(at: .milliseconds(70), isLive: false) }
            if number == 4 { timeline.endPause(at: .milliseconds(75), isLive: false) }
            #expect(media(&timeline, 0, .milliseconds(time)) == .milliseconds(time))
        }
    }

    /// Sound whose packets are of changing length and tell none lost single ones, until a picture came again: for good, where the
    /// pictures were away or over.
    @Test func aPauseOfAFileTakesNothingOfWhatFollows() {
        var timeline = timeline(.video, .audio)
        _ = media(&timeline, 0, .zero)
        for time: Int64 in [0, 23, 46, 69] { _ = media(&timeline, 1, .milliseconds(time), nil) }
        timeline.endPause(at: .milliseconds(70), isLive: false)
        // Said once more by a source that was interrupted.
        #expect(media(&timeline, 1, .milliseconds(69), nil) == nil)
        for time: Int64 in [72, 92, 95, 98] {
            #expect(media(&timeline, 1, .milliseconds(time), nil) == .milliseconds(time))
        }
    }

    /// What stands for the time of decoding is when a packet came, over a network that is never even: the first picture on its way
    /// ended the pause, and the one of after it stepped anything.
    @Test(arguments: [frame, nil]) func aNetworkCameraStepsOneFrameOverAPause(_ duration: ClockTime?) {
        var timeline = timeline(.video)
        let late: [Int64] = [31, 4, 22, 9, 36, 1, 17, 28, 12, 3]
        func jitter(_ index: Int64) -> Int64 { late[Int(index) % late.count] }
        for index: Int64 in 0...10 {
            _ = place(&timeline, shown: 40 * index, decoded: 40 * index + jitter(index), duration)
        }
        timeline.endPause(at: .milliseconds(455))
        // On its way; then the first that was taken after it.
        #expect(place(&timeline, shown: 440, decoded: 474, duration) == .milliseconds(440))
        #expect(place(&timeline, shown: 463, decoded: 499, duration) == .milliseconds(480))
        #expect(place(&timeline, shown: 503, decoded: 507, duration) == .milliseconds(520))
        timeline.beginEpoch()
        #expect(place(&timeline, shown: 7, decoded: 20, duration) == .milliseconds(560))
    }

    /// Two times so far apart that their distance has no magnitude ended the host.
    @Test func timesOfNoSenseEndNothing() {
        var timeline = timeline(.video, .audio)
        for time: Int64 in [0, .max, .min, -1, .max] {
            timeline.endPause(at: ClockTime(nanoseconds: time))
            for stream in 0...1 {
                for other: Int64 in [.min, .max, 0, -1] {
                    _ = timeline.place(
                        stream, runningTime: ClockTime(nanoseconds: other), decodeTime: ClockTime(nanoseconds: time),
                        duration: ClockTime(nanoseconds: .max), now: ClockTime(nanoseconds: other))
                }
            }
        }
        var exact = self.timeline(.video)
        _ = exact.place(0, runningTime: .zero, duration: nil)
        exact.endPause(at: ClockTime(nanoseconds: .max))
        _ = exact.place(0, runningTime: ClockTime(nanoseconds: .min + 1), duration: nil)
        exact.endPause(at: ClockTime(nanoseconds: .max))
        _ = exact.place(0, runningTime: ClockTime(nanoseconds: .min), duration: nil)
    }
}
