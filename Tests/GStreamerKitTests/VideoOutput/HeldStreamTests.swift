import CGStreamer
import Dispatch
import Foundation
import HostTestKit
import Locking
import TestElements
import Testing

@testable import GStreamerKit

/// One held stream between two pads of the test's own: what its decoder is given, and in which order.
@Suite struct HeldStreamTests {
    /// Its time stands still.
    let clockwork: Pipeline
    let time: RunningTime
    let source: Pad
    let sink: Pad
    let given = Given()
    let news = Recorder<HeldStream.News>()

    /// What arrived at the decoder.
    final class Given: Sendable {
        let all = Recorder<String>()
        /// Held again as soon as a picture comes.
        let interrupts = Locked<HeldStream?>(nil)
        /// To the next pictures; all others are taken.
        let answers = Locked<[GstFlowReturn]>([])
    }

    init() throws {
        try GStreamer.start()
        clockwork = try Pipeline(launch: "fakesrc ! fakesink", name: "time")
        time = RunningTime(of: clockwork)
        source = Pad(adopting: try #require(gst_pad_new("src", GST_PAD_SRC)))
        sink = Pad(adopting: try #require(gst_pad_new("sink", GST_PAD_SINK)))
        gst_pad_set_element_private(sink.pointer, Unmanaged.passUnretained(given).toOpaque())
        gst_pad_set_chain_function_full(
            sink.pointer,
            { pad, _, buffer in
                guard let pad, let buffer, let context = gst_pad_get_element_private(pad) else { return GST_FLOW_ERROR }
                let pts = ClockTime(buffer.pointee.pts).map { "\($0.nanoseconds / 1_000_000_000)" } ?? "-"
                let given = Unmanaged<Given>.fromOpaque(context).takeUnretainedValue()
                given.all.record("picture \(pts)")
                given.interrupts.withLock { held in
                    defer { held = nil }
                    return held
                }?.hold(round: 2)
                gst_mini_object_unref(UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))
                return given.answers.withLock { $0.isEmpty ? GST_FLOW_OK : $0.removeFirst() }
            }, nil, nil)
        gst_pad_set_event_function_full(
            sink.pointer,
            { pad, _, event in
                guard let pad, let event, let context = gst_pad_get_element_private(pad) else { return 0 }
                var text = String(cString: gst_event_type_get_name(mh_gst_event_type(event)))
                if mh_gst_event_type(event) == GST_EVENT_SEGMENT {
                    var segment: UnsafePointer<GstSegment>?
                    gst_event_parse_segment(event, &segment)
                    text += " \((segment?.pointee.base ?? 0) / 1_000_000_000)"
                }
                Unmanaged<Given>.fromOpaque(context).takeUnretainedValue().all.record(text)
                gst_mini_object_unref(UnsafeMutableRawPointer(event).assumingMemoryBound(to: GstMiniObject.self))
                return 1
            }, nil, nil)
        #expect(gst_pad_link(source.pointer, sink.pointer) == GST_PAD_LINK_OK)
        gst_pad_set_active(source.pointer, 1)
        gst_pad_set_active(sink.pointer, 1)
    }

    func begin(_ caps: String) {
        gst_pad_push_event(source.pointer, gst_event_new_stream_start("stream"))
        if let caps = gst_caps_from_string(caps) {
            gst_pad_push_event(source.pointer, gst_event_new_caps(caps))
            gst_mini_object_unref(UnsafeMutableRawPointer(caps).assumingMemoryBound(to: GstMiniObject.self))
        }
    }

    func segment(base seconds: UInt64) {
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_TIME)
        segment.base = guint64(seconds * 1_000_000_000)
        gst_pad_push_event(source.pointer, gst_event_new_segment(&segment))
    }

    func picture(_ seconds: UInt64, isKey: Bool = true) {
        gst_pad_push(source.pointer, buffer(seconds, isKey: isKey))
    }

    func buffer(_ seconds: UInt64, isKey: Bool) -> UnsafeMutablePointer<GstBuffer>? {
        let buffer = gst_buffer_new()
        buffer?.pointee.pts = GstClockTime(seconds * 1_000_000_000)
        if !isKey, let buffer { mh_gst_buffer_mark_delta(buffer) }
        return buffer
    }

    func list(_ seconds: ClosedRange<UInt64>, key: UInt64) {
        let list = gst_buffer_list_new()
        for number in seconds { gst_buffer_list_insert(list, -1, buffer(number, isKey: number == key)) }
        gst_pad_push_list(source.pointer, list)
    }

    /// Encoded, and held from its beginning.
    func holding() throws -> HeldStream {
        begin("video/x-h264")
        segment(base: 0)
        let held = try held()
        held.hold(round: 1)
        return held
    }

    func held() throws -> HeldStream {
        let stream = HeldStream(source, time: time) { [news] in news.record($0) }
        return try #require(stream)
    }

    func giveOn(_ held: HeldStream) {
        held.beginFeeding()
        held.feed()
    }

    /// What comes after was ended, begins anew, and is given what is held.
    func beginAnew(_ held: HeldStream) {
        held.forgetDownstream()
        held.beginAnew {
            gst_pad_set_active(sink.pointer, 0)
            gst_pad_set_active(sink.pointer, 1)
        }
        giveOn(held)
    }

    /// A loop between two switches, the second while the first is still under way: the segment of before is never said again.
    @Test func whatWasFedIsOfThePast() throws {
        begin("video/x-h264")
        segment(base: 0)
        picture(0)
        let held = try held()
        held.hold(round: 1)
        segment(base: 5)
        picture(1)
        given.interrupts.withLock { $0 = held }
        giveOn(held)
        picture(2, isKey: false)
        giveOn(held)
        picture(3, isKey: false)
        held.cancel()
        #expect(
            given.all.elements == [
                "stream-start", "caps", "segment 0", "picture 0", "segment 5", "picture 1", "picture 2", "picture 3",
            ])
    }

    /// What comes after was ended: it is told all again, and begins with a key frame.
    @Test func whoBeginsAnewIsToldAll() throws {
        begin("video/x-h264")
        segment(base: 0)
        picture(0)
        let held = try held()
        held.hold(round: 1)
        picture(1, isKey: false)
        held.forgetDownstream()
        picture(2, isKey: false)
        picture(3)
        picture(4, isKey: false)
        giveOn(held)
        held.cancel()
        let again = ["stream-start", "caps", "segment 0"]
        #expect(given.all.elements == again + ["picture 0"] + again + ["picture 3", "picture 4"])
    }

    /// A key frame that came ahead of its time is due when the pictures come back, and no buffer has come since: a decoder begins
    /// anew with it.
    @Test func whatIsOverByNowIsNotDecoded() throws {
        begin("video/x-h264")
        segment(base: 0)
        picture(0)
        let held = try held()
        held.hold(round: 1)
        picture(1, isKey: false)
        segment(base: 10)
        for (number, isKey) in [true, false, true, false, true].enumerated() { picture(UInt64(number), isKey: isKey) }
        gst_element_set_start_time(clockwork.element.pointer, GstClockTime(13_000_000_000))
        let mustBeginAnew = held.skipWhatIsOver()
        #expect(mustBeginAnew)
        held.forgetDownstream()
        giveOn(held)
        picture(5, isKey: false)
        held.cancel()
        #expect(
            given.all.elements == [
                "stream-start", "caps", "segment 0", "picture 0", "stream-start", "caps", "segment 10", "picture 2",
                "picture 3", "picture 4", "picture 5",
            ])
    }

    /// The seek of a loop waited behind it for up to 0.3 s, and with the seek whoever wanted the pictures back.
    @Test(.timeLimit(.minutes(5)), arguments: ["video/x-raw", "video/x-h264"])
    func whatWaitsForItsTimeIsLetThrough(_ caps: String) throws {
        try #require(mh_stopped_clock_register() != 0)
        let clockwork = try Pipeline(launch: "fakesrc num-buffers=1 ! fakesink stoppedclock", name: "stopped")
        defer { clockwork.setState(.null) }
        clockwork.setState(.playing)
        try #require(clockwork.hasArrived(within: .seconds(60)))
        begin(caps)
        segment(base: 0)
        let held = try #require(HeldStream(source, time: RunningTime(of: clockwork)) { _ in })
        held.hold(round: 1)
        let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread { [self] in
            begun.signal()
            for number in 1...3 { picture(UInt64(3600 * number)) }
            ended.signal()
        }
        begun.wait()
        held.beginHurry()
        ended.wait()
        // And none of them before: the next one waits again.
        held.endHurry()
        Thread.detachNewThread { [self] in
            picture(3600 * 4)
            ended.signal()
        }
        // For longer than anybody waits without a look at what has changed: as in a pause, in which no time passes.
        #expect(ended.wait(timeout: .now() + .milliseconds(1200)) == .timedOut)
        held.beginHurry()
        ended.wait()
        held.cancel()
    }

    /// Between the question whether it may go on and the first that it is given, nothing of what it needs is let go of.
    @Test(arguments: [false, true]) func aDecoderGoesOnWithoutAGapOrBeginsAnew(_ hasGap: Bool) throws {
        begin("video/x-h264")
        segment(base: 0)
        picture(0)
        let held = try held()
        held.hold(round: 1)
        picture(1, isKey: false)
        if hasGap { gst_element_set_start_time(clockwork.element.pointer, GstClockTime(10_000_000_000)) }
        // It is due at once, and told; by whom it is asked next that is known, too.
        picture(2)
        #expect(news.elements.contains(.due(round: 1)) == hasGap)
        let mustBeginAnew = held.skipWhatIsOver()
        #expect(mustBeginAnew == hasGap)
        gst_element_set_start_time(clockwork.element.pointer, GstClockTime(10_000_000_000))
        picture(3, isKey: false)
        if hasGap { held.forgetDownstream() }
        giveOn(held)
        held.cancel()
        #expect(
            given.all.elements.filter { $0.hasPrefix("picture") } == ["picture 0"] + (hasGap ? [] : ["picture 1"]) + [
                "picture 2", "picture 3",
            ])
    }

    /// Raw pictures are dropped while hidden; the next one finds all that was said of them.
    @Test func rawPicturesComeBackWithTheNext() throws {
        begin("video/x-raw")
        segment(base: 0)
        let held = try held()
        held.hold(round: 1)
        picture(1)
        held.forgetDownstream()
        giveOn(held)
        picture(2)
        held.cancel()
        let again = ["stream-start", "caps", "segment 0"]
        #expect(given.all.elements == again + again + ["picture 2"])
    }

    /// Pictures came back and went again before the end that was held could be given.
    @Test(arguments: ["video/x-raw", "video/x-h264"]) func anEndThatIsHeldIsToldAgain(_ caps: String) throws {
        begin(caps)
        segment(base: 0)
        let held = try held()
        held.hold(round: 1)
        gst_pad_push_event(source.pointer, gst_event_new_eos())
        #expect(news.elements == [.idle(round: 1), .end])
        held.beginFeeding()
        held.hold(round: 2)
        #expect(news.elements == [.idle(round: 1), .end, .end])
        giveOn(held)
        held.cancel()
        #expect(given.all.elements == ["stream-start", "caps", "segment 0", "eos"])
    }

    /// It ended while its pictures were shown: nothing will ever come to the sinks that are ended now, but its end, when they begin
    /// anew.
    @Test(arguments: ["video/x-raw", "video/x-h264"]) func anEndThatHasPassedIsToldAndGivenAgain(_ caps: String) throws
    {
        begin(caps)
        segment(base: 0)
        picture(0)
        gst_pad_push_event(source.pointer, gst_event_new_eos())
        let held = try held()
        held.hold(round: 1)
        #expect(news.elements == [.due(round: 1), .end, .idle(round: 1)])
        beginAnew(held)
        held.hold(round: 2)
        #expect(news.elements == [.due(round: 1), .end, .idle(round: 1), .due(round: 2), .end, .idle(round: 2)])
        held.cancel()
        let begin = ["stream-start", "caps", "segment 0"]
        #expect(given.all.elements == begin + ["picture 0", "eos"] + begin + ["eos"])
    }

    /// A seek back: there is more to come, and another end.
    @Test(arguments: ["video/x-raw", "video/x-h264"]) func aFlushMakesTheEndVoid(_ caps: String) throws {
        begin(caps)
        segment(base: 0)
        let held = try held()
        held.hold(round: 1)
        for _ in 0..<2 {
            gst_pad_push_event(source.pointer, gst_event_new_eos())
            for _ in 0..<2 {
                gst_pad_push_event(source.pointer, gst_event_new_flush_start())
                gst_pad_push_event(source.pointer, gst_event_new_flush_stop(1))
            }
            segment(base: 0)
        }
        #expect(news.elements == [.idle(round: 1), .end, .goesOn, .end, .goesOn])
        held.cancel()
    }

    /// Whoever waits to tell it sees the flush, and tells nothing.
    @Test func theEndOfBeforeAFlushIsNotTold() {
        var state = HeldStreamState(isEncoded: true)
        state.mode = .holding
        let before = state.generation
        _ = state.flush()
        let isTold = state.tellEnd(of: before)
        #expect(!isTold)
        let isNow = state.tellEnd(of: state.generation)
        #expect(isNow)
    }

    /// A display that begins anew does not know its memory of before.
    @Test func aRawPictureThatWaitedIsGivenOnInPlainMemoryAlone() throws {
        let buffer = HeldObject(adopting: try #require(gst_buffer_new()))
        defer { buffer.release() }
        for isPlain in [false, true] {
            var state = HeldStreamState(isEncoded: false)
            state.beginHolding(round: 1)
            // The first one is left to nobody.
            let waits = state.wait(with: buffer, isPlain: isPlain, 0) && state.wait(with: buffer, isPlain: isPlain, 0)
            state.beginFeeding(block: 7)
            // Its thread may wake up before who feeds.
            state.endWait()
            let feeds = state.takeFeeding()
            #expect(waits && feeds)
            if isPlain {
                guard case .next(let next) = state.nextStep(now: .zero) else {
                    Issue.record("it is not given")
                    return
                }
                #expect(next.object.raw == buffer.raw && !next.isSkipped)
                next.object.release()
            }
            guard case .allGiven(7) = state.nextStep(now: .zero) else {
                Issue.record("there is more")
                return
            }
            // Or after it.
            state.endWait()
            #expect(state.waiting == nil)
        }
    }

    /// Who is told to hold once more finds it where it was; when its time has come it is over.
    @Test func aRawPictureThatIsNotGivenIsLetGo() throws {
        let buffer = HeldObject(adopting: try #require(gst_buffer_new()))
        defer { buffer.release() }
        var state = HeldStreamState(isEncoded: false)
        state.beginHolding(round: 1)
        let waits = state.wait(with: buffer, isPlain: true, 0)
        state.beginFeeding(block: 7)
        state.beginHolding(round: 2)
        #expect(waits && state.waiting != nil)
        state.endWait()
        #expect(state.waiting == nil)
        let waitsOfBefore = state.wait(with: buffer, isPlain: true, -1)
        #expect(!waitsOfBefore && state.waiting == nil)
        state.releaseAll()
    }

    /// A clip after another, as a gapless player has them: what has ended is not what comes now.
    @Test func theEndOfAnotherStreamIsNotGiven() throws {
        begin("video/x-h264")
        segment(base: 0)
        gst_pad_push_event(source.pointer, gst_event_new_eos())
        let held = try held()
        held.hold(round: 1)
        begin("video/x-h264")
        segment(base: 5)
        picture(1)
        beginAnew(held)
        held.cancel()
        let begin = ["stream-start", "caps", "segment 0", "eos"]
        #expect(given.all.elements == begin + ["stream-start", "caps", "segment 5", "picture 1"])
    }
}
