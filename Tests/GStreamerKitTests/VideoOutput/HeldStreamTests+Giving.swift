import CGStreamer
import Dispatch
import Foundation
import HostTestKit
import TestElements
import Testing

@testable import GStreamerKit

/// What passes while a stream is held, and what is given once more.
extension HeldStreamTests {
    /// Another stream that is mixed with it waits for its next picture: one passes, if there is one.
    @Test func onePassesWhileItIsHeld() throws {
        let held = try holding()
        held.giveOne(round: 1)
        segment(base: 5)
        for number in 0..<2 { picture(UInt64(number)) }
        for second in 2...4 as ClosedRange<UInt64> {
            gst_pad_push_event(source.pointer, gst_event_new_gap(GstClockTime(second * 1_000_000_000), 1_000_000_000))
        }
        picture(3)
        gst_pad_push_event(source.pointer, gst_event_new_eos())
        let before = ["stream-start", "caps", "segment 0"]
        #expect(given.all.elements == before)
        for steps in 1...5 {
            held.giveOne(round: 1)
            let all = ["segment 5", "picture 0", "picture 1", "gap", "picture 3", "eos"]
            #expect(given.all.elements == before + all.prefix(steps + 1))
        }
        #expect(
            news.elements.count { $0 == .idle(round: 1) } == 7 && news.elements.last { $0 != .idle(round: 1) } == .end)
        // The end stays the last of what is held, for whoever begins anew.
        held.giveOne(round: 1)
        beginAnew(held)
        held.cancel()
        #expect(given.all.elements.suffix(5) == ["eos", "stream-start", "caps", "segment 5", "eos"])
    }

    /// What comes had to wait, and with it the sound, while the decoder had all of a loop's round to catch up with: its time was taken
    /// for that of the next round.
    @Test func whatIsBeforeASegmentHasItsOwnTime() throws {
        let held = try holding()
        picture(0)
        for number in 1..<12 { picture(UInt64(number), isKey: false) }
        segment(base: 100)
        picture(0)
        held.beginFeeding()
        func step(now: Int64) -> String {
            switch held.state.withLock({ $0.nextStep(now: .seconds(now)) }) {
            case .next(let next):
                next.object.release()
                return next.isSkipped ? "other" : "give"
            case .closeUp: return "close up"
            case .allGiven, .heldAgain: return "other"
            }
        }
        #expect(step(now: 5) == "give")
        // The next one, at 1 s, is not due.
        #expect(step(now: 0) == "close up")
        #expect(step(now: 5) == "give")
        held.cancel()
    }

    /// Who was to give one came late: pictures have come back, and gone again.
    @Test func whoWasAskedBeforeGivesNone() throws {
        let held = try holding()
        giveOn(held)
        held.hold(round: 2)
        picture(0)
        held.giveOne(round: 1)
        #expect(given.all.elements == ["stream-start", "caps", "segment 0"])
        held.giveOne(round: 2)
        #expect(given.all.elements.last == "picture 0")
        held.cancel()
    }

    /// Between the probe and the next pad a picture counts as under way for nobody: who is told of rest meanwhile ends what it goes to.
    @Test func whatWasLetPassAndHasNotLeftIsHeldToo() throws {
        let held = try holding()
        giveOn(held)
        let tap = source.addProbe { [news] data in
            guard case .buffer = consume data else { return .pass }
            held.hold(round: 2)
            #expect(news.elements.last == .idle(round: 2))
            return .passAndRemove
        }
        defer { tap?.cancel() }
        picture(7)
        #expect(given.all.elements == ["stream-start", "caps", "segment 0"])
        giveOn(held)
        held.cancel()
        #expect(given.all.elements.last == "picture 7")
    }

    /// What lies behind its segment's end is answered so. That is no reason to keep back what follows, nor is any other answer for
    /// what the stream says of itself.
    @Test(arguments: [GST_FLOW_EOS, GST_FLOW_ERROR]) func anAnswerLosesNoEnd(_ answer: GstFlowReturn) throws {
        let held = try holding()
        picture(0)
        picture(1, isKey: false)
        segment(base: 5)
        picture(2, isKey: false)
        gst_pad_push_event(source.pointer, gst_event_new_eos())
        given.answers.withLock { $0 = [answer] }
        giveOn(held)
        held.cancel()
        let all = ["stream-start", "caps", "segment 0", "picture 0", "picture 1", "segment 5", "picture 2", "eos"]
        #expect(
            given.all.elements
                == (answer == GST_FLOW_EOS ? all : all.filter { !["picture 1", "picture 2"].contains($0) }))
    }

    /// Where it is to go on being held.
    @Test func whatCouldNotBeGivenIsAGap() throws {
        let held = try holding()
        for number in 0...2 as ClosedRange<UInt64> { picture(number, isKey: number == 0) }
        given.answers.withLock { $0 = [GST_FLOW_ERROR] }
        held.giveOne(round: 1)
        for number in 3...5 as ClosedRange<UInt64> { picture(number, isKey: number == 4) }
        giveOn(held)
        held.cancel()
        #expect(given.all.elements.suffix(3) == ["picture 0", "picture 4", "picture 5"])
    }

    /// A list that is on its way when its stream is held stays in its order.
    @Test func aListIsHeldWhole() throws {
        let held = try holding()
        giveOn(held)
        let tap = source.addProbe { data in
            guard case .buffer(let buffer) = consume data, buffer.pts == .seconds(2) else { return .pass }
            held.hold(round: 2)
            return .passAndRemove
        }
        defer { tap?.cancel() }
        list(1...3, key: 1)
        #expect(given.all.elements == ["stream-start", "caps", "segment 0"])
        giveOn(held)
        held.cancel()
        #expect(given.all.elements.suffix(3) == ["picture 1", "picture 2", "picture 3"])
    }

    /// Who begins with a key frame takes a list from there on.
    @Test func aListBeginsWithItsKeyFrame() throws {
        let held = try holding()
        picture(0, isKey: false)
        held.forgetDownstream()
        giveOn(held)
        list(1...4, key: 3)
        held.cancel()
        #expect(given.all.elements.suffix(3) == ["segment 0", "picture 3", "picture 4"])
    }

    /// Those are not kept: one that waits for its time is given, by whoever is asked and not by its thread.
    @Test(.timeLimit(.minutes(5))) func aRawOnePassesWhileItWaits() throws {
        try #require(mh_stopped_clock_register() != 0)
        let clockwork = try Pipeline(launch: "fakesrc num-buffers=1 ! fakesink stoppedclock", name: "stopped")
        defer { clockwork.setState(.null) }
        clockwork.setState(.playing)
        try #require(clockwork.hasArrived(within: .seconds(60)))
        begin("video/x-raw")
        segment(base: 0)
        let stream = HeldStream(source, time: RunningTime(of: clockwork)) { [news] in news.record($0) }
        let held = try #require(stream)
        held.hold(round: 1)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            picture(3600)
            ended.signal()
        }
        // Until it waits.
        while given.all.elements.last != "picture 3600" { held.giveOne(round: 1) }
        ended.wait()
        held.giveOne(round: 1)
        giveOn(held)
        held.cancel()
        #expect(given.all.elements == ["stream-start", "caps", "segment 0", "picture 3600"])
    }

    /// Subtitles pass ahead of their time: what shows them begins anew, and has those that are still to come from the stream.
    @Test func whatPassedAheadOfItsTimeIsGivenAgain() throws {
        begin("text/x-raw")
        segment(base: 0)
        let held = try held()
        for number in 1...2 { picture(UInt64(number)) }
        held.hold(round: 1)
        picture(3)
        gst_element_set_start_time(clockwork.element.pointer, GstClockTime(2_000_000_000))
        held.forgetDownstream()
        _ = held.skipWhatIsOver()
        giveOn(held)
        // Of another place in the clip there is nothing to show again.
        segment(base: 10)
        held.hold(round: 2)
        held.forgetDownstream()
        giveOn(held)
        picture(4)
        held.cancel()
        let begin = ["stream-start", "caps", "segment 0"]
        #expect(
            given.all.elements == begin + ["picture 1", "picture 2"] + begin + ["picture 2", "picture 3", "segment 10"]
                + ["stream-start", "caps", "segment 10", "picture 4"])
    }

    /// A decoder that was given the key frame is the only one that can go on from it, until the next.
    @Test func whoWasGivenMoreKeepsItsDecoder() throws {
        let held = try holding()
        picture(0)
        #expect(news.elements == [.idle(round: 1), .due(round: 1)] && held.canLoseDecoder)
        held.giveOne(round: 1)
        picture(1, isKey: false)
        #expect(!held.canLoseDecoder)
        gst_element_set_start_time(clockwork.element.pointer, GstClockTime(2_000_000_000))
        picture(2)
        #expect(
            news.elements == [.idle(round: 1), .due(round: 1), .idle(round: 1), .due(round: 1)] && held.canLoseDecoder)
        held.cancel()
    }

    /// decodebin3 keeps the end of a file of subtitles until all streams have ended, though the pad remembers it: given early, whoever
    /// lets streams end together would keep it, and the next `hide` would wait for the end of the clip.
    @Test func anEndThatWasKeptBackIsNone() throws {
        let keeper = source.addProbe(events: true) { data in
            guard case .event(.endOfStream) = consume data else { return .pass }
            return .drop
        }
        defer { keeper?.cancel() }
        begin("video/x-raw")
        segment(base: 0)
        picture(0)
        gst_pad_push_event(source.pointer, gst_event_new_eos())
        let held = try held()
        held.hold(round: 1)
        held.giveOne(round: 1)
        #expect(news.elements == [.idle(round: 1), .idle(round: 1)])
        giveOn(held)
        held.cancel()
        #expect(given.all.elements == ["stream-start", "caps", "segment 0", "picture 0"])
    }

    /// It is on its way when the stream is held, for the first time or again.
    @Test(arguments: [false, true]) func anEndThatArrivesMeanwhileIsToldBeforeTheRest(_ isKnown: Bool) throws {
        begin("video/x-raw")
        segment(base: 0)
        let held = try held()
        if isKnown {
            held.hold(round: 1)
            giveOn(held)
        }
        let before = news.elements
        let tap = sink.addProbe(events: true) { data in
            guard case .event(.endOfStream) = consume data else { return .pass }
            // Whoever changes his mind hears of the last time alone.
            held.hold(round: 2)
            held.beginFeeding()
            held.hold(round: 3)
            return .passAndRemove
        }
        defer { tap?.cancel() }
        gst_pad_push_event(source.pointer, gst_event_new_eos())
        held.feed()
        let new = news.elements.dropFirst(before.count)
        #expect(
            new.last == .idle(round: 3) && new.contains(.end) && new.contains(.due(round: isKnown ? 2 : 3)), "\(new)")
        beginAnew(held)
        held.cancel()
        let begin = ["stream-start", "caps", "segment 0"]
        #expect(given.all.elements == begin + ["eos"] + begin + ["eos"])
    }

    /// 1.22's decodebin3 now and then ends its streams twice: another is told once there was a flush.
    @Test(arguments: ["video/x-raw", "video/x-h264"]) func anEndThatComesTwiceIsToldOnce(_ caps: String) throws {
        begin(caps)
        segment(base: 0)
        let ends = Recorder<Bool>()
        // A beginning that it keeps back has the pad take another end.
        let decodebin = source.addProbe(events: true) { data in
            guard case .event(let event) = consume data else { return .pass }
            if case .streamStart = event { return .drop }
            if case .endOfStream = event { ends.record(true) }
            return .pass
        }
        defer { decodebin?.cancel() }
        let held = try held()
        held.hold(round: 1)
        for _ in 0..<2 {
            gst_pad_push_event(source.pointer, gst_event_new_stream_start("stream"))
            gst_pad_push_event(source.pointer, gst_event_new_eos())
        }
        #expect(ends.elements.count == 2)
        #expect(news.elements == [.idle(round: 1), .end])
        giveOn(held)
        held.cancel()
        #expect(given.all.elements == ["stream-start", "caps", "segment 0", "eos"])
    }

    /// Who brings it brings the sound, too, which fell silent until a slow decoder had caught up.
    @Test func whileADecoderCatchesUpNobodyWaitsBeforeIt() throws {
        begin("video/x-h264")
        segment(base: 0)
        let held = try held()
        held.hold(round: 1)
        picture(0)
        picture(1, isKey: false)
        held.forgetDownstream()
        held.beginFeeding()
        // Nobody gives anything on yet.
        picture(2, isKey: false)
        segment(base: 7)
        picture(3, isKey: false)
        held.feed()
        picture(4, isKey: false)
        held.cancel()
        #expect(
            given.all.elements.suffix(7) == [
                "segment 0", "picture 0", "picture 1", "picture 2", "segment 7", "picture 3", "picture 4",
            ])
    }

    /// Small ones cost what they are kept in: a night of a still picture was many times what was counted.
    @Test func smallPicturesCountWithWhatTheyTake() throws {
        var state = HeldStreamState(isEncoded: true)
        state.mode = .holding
        let small = try #require(buffer(1, isKey: false))
        let key = try #require(buffer(1, isKey: true))
        let most = HeldStreamState.mostBytes / HeldStreamState.bytesOfBuffer
        _ = state.keep(HeldObject(adopting: key), now: .zero)
        for _ in 1..<most { _ = state.keep(HeldObject(adopting: small), now: .zero) }
        #expect(state.queue.count == most && !state.needsKey)
        let isDue = state.keep(HeldObject(adopting: small), now: .zero)
        #expect(isDue && state.queue.isEmpty && state.needsKey)
        for buffer in [small, key] { HeldObject(adopting: UnsafeMutableRawPointer(buffer)).release() }
    }
}
