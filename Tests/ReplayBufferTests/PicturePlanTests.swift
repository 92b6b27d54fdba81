import GStreamerKit
import HostTestKit
import PluginKit
import Testing

@testable import ReplayBuffer

@Suite struct PicturePlanTests {
    private static let step: Int64 = 40_000_000

    private func due(
        _ number: Int64, rate: Double, at position: Int64, isJump: Bool = false, shownFrom: Int64 = 0, jumps: UInt64 = 1
    ) -> PlayerFrame {
        var frame = Frame()
        (frame.pts, frame.duration) = (number * Self.step, Self.step)
        return PlayerFrame(
            frame: frame, sequence: UInt64(number),
            step: PlaybackCursor.Step(
                from: UInt64(number), until: rate == 0 ? position : position + 120_000_000, shownFrom: shownFrom,
                isJump: isJump), position: position, rate: rate, jumps: jumps)
    }

    /// From the place on, and over long before the next picture begins; wherever the output's clock is.
    @Test(arguments: [0, 1, Self.step / 2, Self.step - 1001])
    func whoStandsIsShownThePlaceAndNoMore(within: Int64) throws {
        let place = 3 * Self.step + within
        let plan = PicturePlan(
            due(0, rate: 0, at: place, isJump: true, shownFrom: place), running: second, soonest: second / 2, line: nil,
            newest: 7)
        let opening = try #require(plan.opening)
        #expect(opening.start.nanoseconds == place && opening.base.nanoseconds == second / 2)
        let stop = try #require(opening.stop).nanoseconds
        #expect(stop > place && stop < 4 * Self.step)
        // No sink takes it for late.
        #expect(Double(stop - place) / opening.rate >= 5e9)
        #expect(plan.newest == second / 2 && plan.unit.isDiscontinuous)
        // What leads to it goes on in the same segment.
        let more = PicturePlan(
            due(3, rate: 0, at: place, shownFrom: place), running: second, soonest: second, line: plan.line,
            newest: plan.newest)
        #expect(more.opening == nil && more.line == plan.line && more.newest == plan.newest)
    }

    /// The picture is that of the place, whatever was not sent before.
    @Test func whoStopsIsShownThePlaceAtOnce() throws {
        let playing = PicturePlan(
            due(0, rate: 1, at: 0, isJump: true), running: 0, soonest: 0, line: nil, newest: 0)
        let place = 5 * Self.step + 1
        let plan = PicturePlan(
            due(3, rate: 0, at: place), running: second, soonest: second, line: playing.line, newest: playing.newest)
        let opening = try #require(plan.opening)
        #expect(opening.start.nanoseconds == place && opening.base.nanoseconds == second)
    }

    @Test func whoPlaysGoesOnUntilTheClocksPart() throws {
        let first = PicturePlan(due(0, rate: 1, at: 0, isJump: true), running: 0, soonest: 0, line: nil, newest: 0)
        #expect(first.opening?.stop == nil && first.opening?.base.nanoseconds == ReplayPlayer.ahead)
        let second = PicturePlan(
            due(1, rate: 1, at: 0), running: 1_000_000, soonest: 0, line: first.line, newest: first.newest)
        #expect(second.opening == nil && second.newest == ReplayPlayer.ahead + Self.step)
        for (rate, running) in [(2.0, 0), (1.0, 41_000_000)] as [(Double, Int64)] {
            let other = PicturePlan(
                due(1, rate: rate, at: 0), running: running, soonest: 0, line: first.line, newest: first.newest)
            #expect(other.opening?.rate == rate)
        }
    }

    /// A P picture that opens a segment is decoded before the B pictures that are shown before it.
    @Test(arguments: [0.5, 1, 2], [0, 3 * step, 6 * step])
    func whatIsShownBeforeThePictureThatTellsTheLineIsNotCutOff(rate: Double, shownFrom: Int64) throws {
        let running = 2 * second
        let plan = PicturePlan(
            due(6, rate: rate, at: 4 * Self.step, shownFrom: shownFrom), running: running, soonest: 0, line: nil,
            newest: 0)
        let (opening, line) = (try #require(plan.opening), try #require(plan.line))
        #expect(opening.start.nanoseconds == shownFrom)
        #expect(abs(opening.base.nanoseconds - line.time(of: shownFrom)) <= 1)
        #expect(line.start == 6 * Self.step && plan.newest == line.base)
        for number in 4...5 {
            let more = PicturePlan(
                due(Int64(number), rate: rate, at: 4 * Self.step, shownFrom: shownFrom), running: running, soonest: 0,
                line: line, newest: plan.newest)
            #expect(more.opening == nil && more.newest == plan.newest)
        }
    }

    /// Running time is not negative.
    @Test func theSegmentReachesNoFurtherBackThanTheLine() throws {
        let plan = PicturePlan(due(1000, rate: 1, at: 1000 * Self.step), running: 0, soonest: 0, line: nil, newest: 0)
        let opening = try #require(plan.opening)
        #expect(opening.base == .zero)
        #expect(opening.start.nanoseconds == 1000 * Self.step - ReplayPlayer.ahead)
    }
}
