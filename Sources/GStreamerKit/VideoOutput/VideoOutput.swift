internal import CGStreamer
import Locking

/// All that a playing pipeline shows, taken out of it and put back while the rest goes on: sound is not touched.
///
/// ```
///   shown ──hide──▶ (all idle) ──end──▶ hidden ──show, feed──▶ shown
///                                          │ due: endDecoder
/// ```
/// The elements stay where they are, in NULL and locked there: their devices and memory are free, and a player that arranges
/// its own elements finds them. A decoder is ended when the first key frame has come that is due; before that it has what no
/// other could decode the rest of its group of pictures with. What it has decoded ahead waits in a queue, if there is one, until it
/// is over: the queue and what is before it are not ended at all.
public final class VideoOutput: Sendable {
    /// What happens to one of its streams.
    public enum News: Sendable, Equatable {
        /// Nothing of this stream is under way to a sink any more, since the `hide` of that number.
        case idle(round: Int)
        /// Its decoder may be ended, since the `hide` of that number.
        case due(round: Int)
        /// It has reached its end while hidden.
        case end
        /// A seek has made that end void.
        case goesOn
    }

    private struct Stream: Sendable {
        let held: HeldStream
        let pad: Pad
        let decoder: Element?
        /// Whether it is ended with what shows.
        let endsBehind: Bool
        let end: PassedEnd
    }

    private let pipeline: Pipeline
    private let streams: [Stream]
    private let outlets: [QueueOutlet]
    private let elements: [Element]
    private let sinks: [Element]
    /// Whether streams meet: one of them may wait for another while they are hidden, and be idle only when `giveOne` lets that go on.
    public let isMixed: Bool
    let time: RunningTime
    /// By stream, whether its decoder was ended.
    private let ended: Locked<[Bool]>
    private let gate: IdleGate
    /// Of the last `show`.
    private let catchUps = Locked<[PadProbe]>([])

    /// What a pipeline that has prerolled shows; nil where it shows nothing, or nothing else is left to go on.
    /// - Parameters:
    ///   - listened: pads at which somebody wants all that passes: what comes to them goes on, but for those of sinks.
    ///   - onNews: called with the number of the stream, on any thread; must not wait.
    /// - Thread: worker.
    public init?(of pipeline: Pipeline, listened: [Pad] = [], onNews: @escaping @Sendable (Int, News) -> Void) {
        let paths = VideoPaths(of: pipeline, listened: listened)
        guard paths.leavesOthers, !paths.cuts.isEmpty else { return nil }
        let time = RunningTime(of: pipeline)
        (self.pipeline, self.time) = (pipeline, time)
        elements = paths.elements
        sinks = paths.sinks
        isMixed = paths.isMixed
        let gate = IdleGate { onNews($0, .idle(round: $1)) }
        self.gate = gate
        streams = paths.cuts.enumerated().compactMap { number, cut in
            let behind = cut.decoder?.pad(named: "src") ?? cut.pad
            return HeldStream(cut.pad, bypass: cut.outlets.isEmpty ? nil : behind, time: time) { news in
                switch news {
                case .idle(let round): gate.streamRests(number, round: round)
                case .due(let round): onNews(number, .due(round: round))
                case .end: onNews(number, .end)
                case .goesOn: onNews(number, .goesOn)
                }
            }.map {
                Stream(
                    held: $0, pad: cut.pad, decoder: cut.decoder, endsBehind: cut.endsBehind,
                    end: PassedEnd(behind: behind))
            }
        }
        // Where two streams are mixed, they share one.
        let pads = paths.cuts.flatMap(\.outlets).reduce(into: [UnsafeMutablePointer<GstPad>: Pad]()) {
            $0[$1.pointer] = $1
        }
        outlets = pads.values.compactMap { QueueOutlet($0, time: time) }
        guard streams.count == paths.cuts.count else {
            for stream in streams { stream.held.cancel() }
            return nil
        }
        ended = Locked(Array(repeating: false, count: streams.count))
    }

    public var streamCount: Int { streams.count }
    public var sinkNames: [String] { sinks.map(\.name) }
    public var decoderNames: [String] { streams.compactMap(\.decoder?.name) }

    /// Holds the streams back; `News.idle` follows for each.
    /// - Parameter round: another number each time: who has changed his mind hears of no earlier one.
    /// - Thread: any.
    public func hide(round: Int) {
        // A sink that has just come back may not know it yet; the others do. Who waits for nothing shows at once.
        let isLate = sinks.contains { mh_gst_sink_is_synchronised($0.pointer) != 0 }
        let latencies = isLate ? pipeline.sinks.compactMap { ClockTime(mh_gst_sink_latency($0.pointer)) } : []
        time.latency = latencies.max() ?? .zero
        gate.close(round: round, outlets: outlets.count)
        for outlet in outlets { outlet.close { [gate] in gate.outletRests(round: round) } }
        for stream in streams { stream.held.hold(round: round) }
    }

    /// Lets a stream that is idle go on by one buffer, for another that waits for it where they are mixed; `News.idle` follows.
    /// Nothing where that `hide` is not the last one any more.
    /// - Thread: worker of its own; takes as long as what mixes them wants.
    public func giveOne(of number: Int, round: Int) { streams[number].held.giveOne(round: round) }

    /// Ends what shows, when all streams are idle.
    /// - Parameter onBegin: called when a seek that was under way is over, and each element is ended.
    /// - Thread: worker.
    public func end(onBegin: () -> Void = {}) {
        // From now on, and until what shows has begun anew, a seek takes another way.
        detour(SeekDetour(sinks: sinks, pads: streams.map(\.pad)))
        onBegin()
        for outlet in outlets { outlet.part() }
        // What comes after first, as a bin does it: a queue cannot end while an overlay keeps its thread until a subtitle is over.
        for element in elements { element.endLocked() }
        // Who goes on behind the others knows what it knows.
        for stream in streams where stream.endsBehind { stream.held.forgetDownstream() }
    }

    /// Ends the decoder of a stream that is due, and was given nothing since. - Thread: worker.
    public func endDecoder(of number: Int) {
        guard let decoder = streams[number].decoder, streams[number].held.canLoseDecoder else { return }
        // A seek comes before or after. What flushes by itself finds its way around the decoder as soon as that takes none.
        pipeline.withStateLocked {
            streams[number].held.forgetDownstream()
            decoder.endLocked()
        }
        ended.withLock { $0[number] = true }
    }

    /// Makes ready what shows.
    /// - Parameter onBegin: called when a seek that was under way is over, and each element begins.
    /// - Thread: worker, in the order of `end` and `endDecoder`.
    public func show(onBegin: () -> Void = {}) {
        for number in streams.indices where streams[number].held.skipWhatIsOver() { endDecoder(of: number) }
        let begun = ended.withLock { ended in
            defer { for number in ended.indices { ended[number] = false } }
            return ended
        }
        let anew = zip(streams, begun).filter { $1 }.map(\.0)
        let all = elements + anew.compactMap(\.decoder)
        takeBackEnds()
        for element in all { relink(element, among: all) }
        catchUp()
        // Sinks first: what is before them may give them something at once.
        // A seek meanwhile may leave a sink in PAUSED for ever, see `Pipeline.seek`; or lose a flush where pads are apart.
        pipeline.withStateLocked {
            onBegin()
            for element in sinks + elements.filter({ !$0.isSink }) { element.goOnWithParent() }
            for outlet in outlets { outlet.join() }
            for stream in anew { stream.held.beginAnew { stream.decoder?.goOnWithParent() } }
            detour(nil)
        }
    }

    /// A seek that is under way comes to its end first.
    private func detour(_ detour: SeekDetour?) {
        pipeline.withStateLocked { pipeline.seekDetour.withLock { $0 = detour } }
    }

    /// What comes goes behind what is held from now on, and waits where that is nearly given. - Thread: any, after `show`.
    public func beginFeeding() {
        for outlet in outlets { outlet.open() }
        for stream in streams { stream.held.beginFeeding() }
    }

    /// Gives a stream on from its last key frame until it passes by itself. - Thread: worker of its own; takes as long as the sinks
    /// want.
    public func feed(_ number: Int) { streams[number].held.feed() }

    /// Does something during which what is held back does not wait for its time: a seek without a flush takes its turn behind what fills
    /// the queues, and would wait as long.
    /// - Thread: worker.
    public func unpaced<Result>(_ body: () -> Result) -> Result {
        for stream in streams { stream.held.beginHurry() }
        defer { for stream in streams { stream.held.endHurry() } }
        return body()
    }

    /// Says in the name of the sinks that all is over: the pipeline waits for it, and so do elements that let streams end
    /// together. - Thread: worker.
    public func postEndOfStream() {
        for stream in streams { stream.end.pass() }
        for sink in sinks { sink.postEndOfStream() }
    }

    /// The pipeline plays once more, perhaps by another clock: one that has ended comes to no time that is waited for. - Thread: any.
    public func moveOn() { time.wake() }

    /// Somebody has come to a pad of the pipeline, who must see what is hidden. - Thread: any.
    public func stepBack() {
        for stream in streams { stream.held.stepBack() }
        for outlet in outlets { outlet.stepBack() }
    }

    /// It is about to go, in whatever state: nobody waits for the time of what is held. - Thread: any.
    public func letGo() {
        for outlet in outlets { outlet.letGo() }
        for stream in streams { stream.held.beginHurry() }
    }

    /// Lets go of the pads. - Thread: any, when nothing flows any more.
    public func cancel() {
        for outlet in outlets { outlet.open() }
        for stream in streams { stream.held.cancel() }
        takeBackEnds()
        replaceCatchUps(with: [])
    }

    private func takeBackEnds() {
        let number = gst_util_seqnum_next()
        for stream in streams { stream.end.takeBack(flush: number) }
    }

    private func catchUp() {
        let outputs = streams.compactMap { $0.decoder?.pad(named: "src") }
        let inputs = sinks.flatMap(\.pads).filter(\.isSink)
        replaceCatchUps(
            with: outputs.compactMap { CatchUp.dropWhatIsOver(on: $0, time: time) }
                + inputs.compactMap(CatchUp.keepLatenessBack))
    }

    private func replaceCatchUps(with new: [PadProbe]) {
        let old = catchUps.withLock { running in
            defer { running = new }
            return running
        }
        for probe in old { probe.cancel() }
    }

    /// What comes from an element that was not ended comes as if for the first time: what the stream has said of itself is
    /// sent once more.
    private func relink(_ element: Element, among all: [Element]) {
        for input in element.pads where input.isSink {
            guard let before = input.peer, !streams.contains(where: { $0.pad.pointer == before.pointer }) else {
                continue
            }
            if let leaf = before.leafElement, all.contains(where: { $0.pointer == leaf.pointer }) { continue }
            gst_pad_unlink(before.pointer, input.pointer)
            gst_pad_link_full(before.pointer, input.pointer, GST_PAD_LINK_CHECK_NOTHING)
        }
    }
}

extension Element {
    /// Goes to NULL and stays there whatever its parent does.
    fileprivate func endLocked() {
        gst_element_set_locked_state(pointer, 1)
        gst_element_set_state(pointer, GST_STATE_NULL)
    }

    /// Follows its parent again.
    fileprivate func goOnWithParent() {
        gst_element_set_locked_state(pointer, 0)
        gst_element_sync_state_with_parent(pointer)
    }

    fileprivate func postEndOfStream() {
        let object = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstObject.self)
        gst_element_post_message(pointer, gst_message_new_eos(object))
    }
}
