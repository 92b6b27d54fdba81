import CGStreamer
import Foundation
import Locking
import Synchronization
import Testing

@testable import GStreamerKit

@Suite struct PipelineTests {
    init() throws { try GStreamer.start() }

    private func count(_ element: Element) -> Int { Int(mh_gst_refcount(element.pointer)) }

    /// Waits for EOS or an error, whichever the bus brings first.
    private func end(of pipeline: Pipeline) -> String {
        while let message = pipeline.bus.next(timeout: .seconds(10)) {
            switch message {
            case .endOfStream: return "eos"
            case .error(let report): return report.text
            default: continue
            }
        }
        return "timeout"
    }

    @Test func runsToTheEnd() throws {
        let pipeline = try Pipeline(launch: "fakesrc num-buffers=10 ! fakesink", name: "try")
        #expect(pipeline.name == "try")
        #expect(pipeline.setState(.playing) != .failure)
        #expect(end(of: pipeline) == "eos")
        #expect(pipeline.setState(.null) == .success)
    }

    /// What one of its elements had said held for good where another became the emptiest: of the first it says nothing any more.
    @Test func aBinThatSpeaksForItsElementsHasOneLevel() throws {
        let pipeline = try Pipeline(launch: "decodebin name=d queue2 name=q", name: "levels")
        let inner = try #require(pipeline.elements.first { $0.factoryName == "typefind" })
        let queue = try #require(pipeline.element(named: "q"))
        for (element, percent) in [(inner, 40), (queue, 60)] as [(Element, gint)] {
            let object = UnsafeMutableRawPointer(element.pointer).assumingMemoryBound(to: GstObject.self)
            gst_element_post_message(element.pointer, gst_message_new_buffering(object, percent))
        }
        var levels: [String: Int] = [:]
        while let message = pipeline.bus.next(timeout: .zero) {
            if case .buffering(let element, let percent) = message { levels[element] = percent }
        }
        #expect(levels == ["d": 40, "q": 60])
    }

    /// It flushed for each of its sinks, and what came between was of the new place, too.
    @Test func aSourceOfSeveralSinksGoesElsewhereOnce() throws {
        let pipeline = try Pipeline(
            launch: "audiotestsrc name=a ! tee name=t ! queue ! fakesink t. ! queue ! fakesink t. ! queue ! fakesink",
            name: "once")
        defer { pipeline.setState(.null) }
        pipeline.setState(.paused)
        #expect(pipeline.hasArrived(within: .seconds(30)))
        let flushes = Locked(0)
        _ = pipeline.element(named: "a")?.pad(named: "src")?.addProbe(events: true) { data in
            if case .event(.flushStop) = consume data { flushes.withLock { $0 += 1 } }
            return .pass
        }
        for round in 1...3 {
            #expect(pipeline.seek(Seek(to: .seconds(Int64(round)))))
            #expect(pipeline.hasArrived(within: .seconds(30)))
            #expect(flushes.withLock { $0 } == round)
            #expect(pipeline.position == .seconds(Int64(round)))
        }
    }

    /// Whoever waits for the place it was sent to does not mind who pauses it, or has it go on, meanwhile.
    @Test func whoWaitsForAPlaceOutlivesChangesOfState() throws {
        let pipeline = try Pipeline(launch: "videotestsrc name=v ! fakesink", name: "waits")
        defer { pipeline.setState(.null) }
        let pad = try #require(pipeline.element(named: "v")?.pad(named: "src"))
        for round in 0..<100 {
            pipeline.setState(.playing)
            #expect(pipeline.hasArrived(within: .seconds(30)))
            let drops = gst_pad_add_probe(
                pad.pointer, GST_PAD_PROBE_TYPE_BUFFER, { _, _, _ in GST_PAD_PROBE_DROP }, nil, nil)
            #expect(pipeline.seek(Seek(to: .seconds(1))))
            #expect(!pipeline.hasArrived(within: .milliseconds(1)))
            // On a thread of its own: those that tests share may be busy for longer than it waits.
            let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let hasArrived = Locked(false)
            Thread.detachNewThread {
                begun.signal()
                let arrived = pipeline.hasArrived(within: .seconds(30))
                hasArrived.withLock { $0 = arrived }
                ended.signal()
            }
            begun.wait()
            pipeline.setState(.paused)
            gst_pad_remove_probe(pad.pointer, drops)
            ended.wait()
            #expect(hasArrived.withLock { $0 }, "round \(round): \(pipeline.state())")
        }
    }

    /// A sink that lost its state in the midst of another change of it stayed in PAUSED, in a pipeline that said it played.
    @Test func noChangeOfStateOvertakesASeek() throws {
        let pipeline = try Pipeline(launch: "videotestsrc name=v ! fakesink", name: "seeks")
        defer { pipeline.setState(.null) }
        pipeline.setState(.paused)
        try #require(pipeline.hasArrived(within: .seconds(30)))
        let couldChange = Locked<[Bool]>([])
        let pad = try #require(pipeline.element(named: "v")?.pad(named: "src"))
        let probe = try #require(
            pad.addUpstreamProbe { _ in
                // Who holds the lock may take it again, so another thread asks.
                let asked = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    let isFree = g_rec_mutex_trylock(&pipeline.element.pointer.pointee.state_lock) != 0
                    if isFree { g_rec_mutex_unlock(&pipeline.element.pointer.pointee.state_lock) }
                    couldChange.withLock { $0.append(isFree) }
                    asked.signal()
                }
                asked.wait()
                return .pass
            })
        #expect(pipeline.seek(Seek(to: .seconds(1))))
        probe.cancel()
        #expect(couldChange.withLock { $0 }.contains(false))
        #expect(!couldChange.withLock { $0 }.contains(true))
    }

    @Test func whatHasFailedIsNotWaitedFor() throws {
        let pipeline = try Pipeline(launch: "filesrc location=/nowhere ! fakesink", name: "fails")
        defer { pipeline.setState(.null) }
        #expect(pipeline.setState(.paused) == .failure)
        let began = ContinuousClock.now
        #expect(!pipeline.hasArrived(within: .seconds(30)))
        #expect(ContinuousClock.now - began < .seconds(15))
    }

    @Test func ownersHoldExactlyOneReferenceEach() throws {
        let pipeline = try Pipeline(launch: "fakesrc name=a ! fakesink name=b", name: "refs")
        #expect(count(pipeline.element) == 1)
        let first = try #require(pipeline.element(named: "a"))
        #expect(count(first) == 2)  // the bin's and ours
        do {
            let again = try #require(pipeline.element(named: "a"))
            #expect(count(first) == 3)
            _ = again
        }
        #expect(count(first) == 2)
        #expect(pipeline.elements.count == 2)
        #expect(count(first) == 2)
        #expect(pipeline.sinks.map(\.name) == ["b"])
        #expect(pipeline.sources.map(\.name) == ["a"])
        #expect(first.padNames == ["src"])
        let pad = try #require(first.pad(named: "src"))
        let before = mh_gst_refcount(pad.pointer)
        do { let second = try #require(first.pad(named: "src")); _ = second }
        #expect(mh_gst_refcount(pad.pointer) == before)
        #expect(count(pipeline.element) == 1)
    }

    @Test func aDroppedPipelineFreesItsElements() throws {
        var pipeline: Pipeline? = try Pipeline(launch: "fakesrc name=a ! fakesink", name: "gone")
        let element = try #require(pipeline?.element(named: "a"))
        pipeline = nil
        #expect(count(element) == 1)  // only ours is left
    }

    @Test func oneElementGetsAPipelineAroundIt() throws {
        let pipeline = try Pipeline(launch: "fakesink name=only", name: "wrap")
        #expect(pipeline.elements.map(\.name) == ["only"])
        #expect(mh_gst_is_pipeline(pipeline.element.pointer) != 0)
    }

    @Test func aMissingElementIsNamedAndNothingLeaks() {
        #expect {
            try Pipeline(launch: "fakesrc ! x264ecn ! fakesink", name: "typo")
        } throws: { error in
            (error as? Pipeline.LaunchError)?.missingElements == ["x264ecn"]
        }
    }

    @Test func errorsCarryElementDomainAndCode() throws {
        let pipeline = try Pipeline(launch: "filesrc location=/no/such/file ! fakesink", name: "missing")
        pipeline.setState(.playing)
        var report: BusMessage.ElementReport?
        while report == nil, let message = pipeline.bus.next(timeout: .seconds(10)) {
            if case .error(let found) = message { report = found }
        }
        #expect(report?.factory == "filesrc")
        #expect(report?.domain == "gst-resource-error-quark")
        #expect(report?.code == 3)  // GST_RESOURCE_ERROR_NOT_FOUND
        pipeline.setState(.null)
    }

    @Test func probesSeeEveryBufferAndEventInOrder() throws {
        let pipeline = try Pipeline(
            launch: "videotestsrc num-buffers=7 name=v ! video/x-raw,framerate=25/1 ! fakesink", name: "probe")
        let pad = try #require(pipeline.element(named: "v")?.pad(named: "src"))
        let seen = Locked<[String]>([])
        let removed = Atomic(0)
        let probe = pad.addProbe(events: true, onRemoved: { removed.add(1, ordering: .relaxed) }) { data in
            let word: String
            switch consume data {
            case .buffer(let buffer): word = "\(buffer.pts?.nanoseconds ?? -1)"
            case .event(.caps(let caps)): word = caps.frameDuration == .milliseconds(40) ? "caps" : "other caps"
            case .event(.segment): word = "segment"
            case .event(.endOfStream): word = "eos"
            default: return .pass
            }
            seen.withLock { $0.append(word) }
            return .pass
        }
        pipeline.setState(.playing)
        #expect(end(of: pipeline) == "eos")
        pipeline.setState(.null)
        let times = (0..<7).map { "\($0 * 40_000_000)" }
        #expect(seen.withLock { $0 } == ["caps", "segment"] + times + ["eos"])
        probe?.cancel()
        probe?.cancel()
        #expect(removed.load(ordering: .relaxed) == 1)
    }

    @Test func aProbeClosureIsReleasedWithItsPad() throws {
        final class Witness: Sendable {}
        weak var witness: Witness?
        do {
            let kept = Witness()
            witness = kept
            let pipeline = try Pipeline(launch: "fakesrc name=a ! fakesink", name: "witness")
            _ = pipeline.element(named: "a")?.pad(named: "src")?.addProbe { [kept] _ in
                _ = kept
                return .pass
            }
        }
        #expect(witness == nil)
    }

    @Test func droppedBuffersDoNotArrive() throws {
        let pipeline = try Pipeline(
            launch: "fakesrc num-buffers=10 name=a ! identity name=i ! fakesink", name: "drop")
        let dropped = Atomic(0)
        let arrived = Atomic(0)
        _ = pipeline.element(named: "a")?.pad(named: "src")?.addProbe { _ in
            dropped.add(1, ordering: .relaxed).oldValue < 3 ? .drop : .passAndRemove
        }
        _ = pipeline.element(named: "i")?.pad(named: "src")?.addProbe { _ in
            arrived.add(1, ordering: .relaxed)
            return .pass
        }
        pipeline.setState(.playing)
        #expect(end(of: pipeline) == "eos")
        pipeline.setState(.null)
        #expect(arrived.load(ordering: .relaxed) == 7)
        #expect(dropped.load(ordering: .relaxed) == 4)
    }

    @Test func appSourceFeedsWhatItWasGiven() throws {
        let pipeline = try Pipeline(launch: "appsrc name=in ! identity name=i ! fakesink", name: "feed")
        let source = try #require(pipeline.element(named: "in").flatMap { AppSource($0) })
        source.configure(caps: try #require(Caps("application/x-test")), maxBytes: 1 << 20)
        let seen = Locked<[[UInt8]]>([])
        _ = pipeline.element(named: "i")?.pad(named: "src")?.addProbe { data in
            if case .buffer(let buffer) = consume data {
                let bytes = buffer.withBytes { Array($0) } ?? []
                seen.withLock { $0.append(bytes + [UInt8(truncatingIfNeeded: buffer.pts?.nanoseconds ?? 99)]) }
            }
            return .pass
        }
        pipeline.setState(.playing)
        for index in UInt8(0)..<3 {
            let pushed = [index, index].withUnsafeBytes {
                source.push(
                    $0, .init(pts: .init(nanoseconds: Int64(index)), dts: nil, duration: nil, isDelta: index > 0))
            }
            #expect(pushed)
        }
        source.endOfStream()
        #expect(end(of: pipeline) == "eos")
        pipeline.setState(.null)
        #expect(seen.withLock { $0 } == [[0, 0, 0], [1, 1, 1], [2, 2, 2]])
    }

    @Test func retainedBuffersKeepTheirBytes() throws {
        let pipeline = try Pipeline(
            launch: "fakesrc num-buffers=1 filltype=pattern sizetype=fixed sizemax=64 name=a ! fakesink", name: "keep")
        let kept = Locked<Buffer?>(nil)
        _ = pipeline.element(named: "a")?.pad(named: "src")?.addProbe { data in
            if case .buffer(let buffer) = consume data {
                let held = buffer.retain()
                kept.withLock { $0 = held }
            }
            return .pass
        }
        pipeline.setState(.playing)
        #expect(end(of: pipeline) == "eos")
        pipeline.setState(.null)
        #expect(kept.withLock { $0.map { Array($0.bytes) } } == (0..<64).map { UInt8($0) })
    }
}
