import CGStreamer
import Dispatch
import Foundation
import HostTestKit
import TestElements
import Testing

@testable import GStreamerKit

/// What waits for a time, and by which clock.
extension HeldStreamTests {
    /// A clock whose device has ended comes to no time; its pipeline has another by then.
    @Test(.timeLimit(.minutes(5))) func whoWaitsByAClockThatHasEndedAsksTheNextOne() throws {
        try #require(mh_stopped_clock_register() != 0)
        let clockwork = try Pipeline(launch: "fakesrc num-buffers=1 ! fakesink stoppedclock", name: "stopped")
        defer { clockwork.setState(.null) }
        clockwork.setState(.playing)
        try #require(clockwork.hasArrived(within: .seconds(60)))
        let time = RunningTime(of: clockwork)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [source] in
            time.waitPatiently(until: .seconds(3600), on: source) { false }
            ended.signal()
        }
        #expect(ended.wait(timeout: .now() + .milliseconds(1200)) == .timedOut)
        let next = gst_system_clock_obtain()
        defer { gst_object_unref(next) }
        gst_element_set_clock(clockwork.element.pointer, next)
        gst_element_set_base_time(clockwork.element.pointer, gst_clock_get_time(next) &- 3600 * 1_000_000_000)
        time.wake()
        ended.wait()
    }

    /// Pictures waited for a time that begins with the sound, whose end came behind theirs: a seek behind it was never over.
    @Test(.timeLimit(.minutes(5))) func whoWaitsForATimeThatHasNotBegunLetsOthersPass() throws {
        let clockwork = try Pipeline(launch: "fakesrc num-buffers=1 ! fakesink", name: "begun")
        defer { clockwork.setState(.null) }
        clockwork.setState(.playing)
        try #require(clockwork.hasArrived(within: .seconds(60)))
        let time = RunningTime(of: clockwork)
        time.beginAnew()
        time.waitPatiently(until: .seconds(3600), on: source) { false }
        #expect(time.now == .zero)
        // What stands in a pause stands where it is.
        clockwork.setState(.paused)
        try #require(clockwork.hasArrived(within: .seconds(60)))
        var asked = 0
        time.waitPatiently(until: .seconds(3600), on: source) {
            asked += 1
            return asked > 6
        }
        #expect(asked == 7)
        // Also by the clock of a sound card, which stands still until the sound is there; and on its way to a pause.
        try #require(mh_stopped_clock_register() != 0)
        let empty = try Pipeline(launch: "fakesink stoppedclock name=card", name: "empty")
        defer { empty.setState(.null) }
        let card = try #require(empty.element(named: "card"))
        let clock = try #require(gst_element_provide_clock(card.pointer))
        defer { gst_object_unref(clock) }
        gst_element_set_clock(empty.element.pointer, clock)
        for state in [PipelineState.playing, .paused] {
            empty.setState(state)
            RunningTime(of: empty).waitPatiently(until: .seconds(3600), on: source) { false }
        }
    }

    /// What is due by the clock is due on the screen when the latency of a live pipeline is over: the key frame that is on the screen
    /// now is kept, and with it what comes before the newest.
    @Test func whatIsShownLateIsKeptAsLong() throws {
        begin("video/x-h264")
        segment(base: 0)
        let held = try held()
        held.hold(round: 1)
        time.latency = .seconds(2)
        for number in 10...13 as ClosedRange<UInt64> { picture(number, isKey: number != 11) }
        gst_element_set_start_time(clockwork.element.pointer, GstClockTime(13_000_000_000))
        _ = held.skipWhatIsOver()
        held.forgetDownstream()
        giveOn(held)
        held.cancel()
        #expect(
            given.all.elements.filter { $0.hasPrefix("picture") } == [
                "picture 10", "picture 11", "picture 12", "picture 13",
            ])
    }

    /// The end of subtitles waited for the last of them, on the thread of their demuxer: nobody else got anything until then, and a
    /// cue that outlasts its film kept the pipeline.
    @Test(.timeLimit(.minutes(5))) func theEndOfSubtitlesDoesNotWaitForTheLastOne() throws {
        try #require(mh_stopped_clock_register() != 0)
        let clockwork = try Pipeline(launch: "fakesrc num-buffers=1 ! fakesink stoppedclock", name: "stopped")
        defer { clockwork.setState(.null) }
        clockwork.setState(.playing)
        try #require(clockwork.hasArrived(within: .seconds(60)))
        begin("text/x-raw")
        segment(base: 0)
        let stream = HeldStream(source, time: RunningTime(of: clockwork)) { [news] in news.record($0) }
        let held = try #require(stream)
        held.hold(round: 1)
        picture(3600)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [source] in
            gst_pad_push_event(source.pointer, gst_event_new_eos())
            ended.signal()
        }
        #expect(ended.wait(timeout: .now() + .seconds(60)) == .success)
        #expect(news.elements == [.idle(round: 1), .end])
        held.cancel()
    }
}
