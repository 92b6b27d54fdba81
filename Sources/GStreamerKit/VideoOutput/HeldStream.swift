internal import CGStreamer
import Locking
import Synchronization

/// One stream in front of its decoder, or of what shows it raw: lets it pass, holds it back, and gives it on from its last key
/// frame, so that what comes after can be ended and begun anew while everything before goes on.
///
/// ```
///   passing ──hold──▶ holding ──feed──▶ feeding ──all given──▶ passing
///                        ▲                 │
///                        └──────hold───────┘
/// ```
/// While it feeds, what comes is taken in behind what is held, as far ahead of its time as before: who brings it brings the sound, too,
/// and a decoder may need seconds to catch up. Raw pictures, and what comes when it has, wait before the pad, as before a full queue.
///
/// Lock order: `state` is a leaf, but for the object locks of pads; an end, and that it is void, are told under it, in their order.
final class HeldStream: Sendable {
    enum News: Sendable, Equatable {
        /// Nothing is under way downstream of the pad any more, since the `hold` of that number.
        case idle(round: Int)
        /// What is held begins with a key frame that is due: the decoder has nothing that is needed.
        case due(round: Int)
        /// The end of the stream was held back.
        case end
        /// A seek has made that end void.
        case goesOn
    }

    /// How far what is held may be ahead of its time: less than a player reads ahead.
    static let mostAhead = ClockTime.milliseconds(600)
    /// Whoever is further ahead waits until only this is left: what comes meanwhile is taken in one go. A wake-up of the
    /// queues before the pad for each buffer would cost more than the buffers do.
    static let leastAhead = ClockTime.milliseconds(300)

    let pad: Pad
    /// Where it goes on.
    private let peer: Pad
    /// Where it would come out of a decoder that is at rest, and a queue behind it goes on.
    let bypass: Pad?
    /// Whether a part of it can be decoded only with what came before; raw frames are not kept.
    let isEncoded: Bool
    /// Whether nobody but this stream waits for the pad: a queue is in front of it.
    let isQueued: Bool
    let time: RunningTime
    let onNews: @Sendable (News) -> Void
    let state: Locked<HeldStreamState>
    /// How many want what nobody shows not to wait for its time.
    let hurries = Atomic(0)

    /// - Parameters:
    ///   - bypass: the source pad behind which elements go on while the ones up to there may be ended: flushes are theirs, too.
    ///   - onNews: called on streaming threads and on the caller's, and under a lock; must not wait, nor call back.
    init?(
        _ pad: Pad, bypass: Pad? = nil, time: RunningTime, onNews: @escaping @Sendable (News) -> Void
    ) {
        guard let peer = pad.peer else { return nil }
        self.pad = pad
        self.peer = peer
        self.bypass = bypass
        self.time = time
        self.onNews = onNews
        let isSparse = pad.currentCaps?.isSubtitles == true
        isEncoded = pad.currentCaps?.isRaw != true || isSparse
        isQueued = pad.leafElement?.factoryName == "queue"
        state = Locked(HeldStreamState(isEncoded: isEncoded, isSparse: isSparse))
        // What passes is remembered from now on.
        if isSparse { listen() }
    }

    deinit {
        state.withLock { $0.releaseAll() }
    }

    /// Holds back what comes from now on. `News.idle` follows when downstream is at rest; and before it, where the stream has ended,
    /// `News.end` once more: what ends it was not heard by whoever begins now, or went to sinks that are about to be ended.
    /// - Parameter round: another number each time.
    /// - Thread: any.
    func hold(round: Int) {
        // Before what the pad has said so far is read: nothing may pass unseen between the two.
        if state.withLock({ $0.probe == 0 }) { listen() }
        let (wasFeeding, block) = state.withLock { state -> (Bool, gulong) in
            guard state.mode != .holding else { return (true, 0) }
            let wasFeeding = state.mode == .feeding
            state.beginHolding(round: round)
            if !wasFeeding {
                state.before.removeAll()
                state.before = StickyEvents.of(pad.pointer)
                state.known.removeAll()
                state.known = StickyEvents.of(peer.pointer)
                state.forgetEndThatWasKeptBack()
                state.segment = pad.currentSegment
            }
            defer { state.block = 0 }
            for news in state.takeBackEnd() { onNews(news) }
            return (wasFeeding, state.block)
        }
        if block != 0 { gst_pad_remove_probe(pad.pointer, block) }
        // Who feeds sees it and tells.
        guard !wasFeeding else { return }
        // What the probe has let pass already counts as under way only when it has left it. A new one is asked about that, too.
        stepBack()
        tellWhenIdle(round: round)
    }

    private func tellWhenIdle(round: Int) {
        pad.whenIdle { [weak self] in
            guard let self else { return }
            state.withLock { state in
                // With a flush the pad forgets it first, then its peer.
                guard let heard = HeldObject(endAt: peer) else { return }
                defer { heard.release() }
                guard let end = HeldObject(endAt: pad) else { return }
                for news in state.hearEnd(end, round: round) { onNews(news) }
            }
            onNews(.idle(round: round))
        }
    }

    /// Lets go of what nobody needs by now. What comes does so, too, but the last may have come a while ago, ahead of its time.
    /// - Returns: whether what is left begins with a key frame behind a gap: for a decoder that begins anew.
    /// - Thread: any.
    func skipWhatIsOver() -> Bool {
        let now = time.now
        return state.withLock { $0.skip(to: now) }
    }

    /// What comes after was ended: it knows nothing any more.
    /// - Thread: any.
    func forgetDownstream() {
        state.withLock { $0.forgetDownstream() }
    }

    /// Has what comes after begin anew while the pad is apart from it, and puts them together when it knows the stream.
    ///
    /// An input that becomes active makes its peer say everything once more with the next buffer. decodebin3 listens there: it
    /// takes the format it hears again for that of another stream, and drops what comes up to the next key frame.
    /// - Thread: worker, while it is held.
    func beginAnew(_ activate: () -> Void) {
        gst_pad_unlink(pad.pointer, peer.pointer)
        activate()
        sendWhatItDoesNotKnow()
        gst_pad_link_full(pad.pointer, peer.pointer, GST_PAD_LINK_CHECK_NOTHING)
    }

    /// What comes is given from now on, by `feed`, behind what is held.
    /// - Thread: any.
    func beginFeeding() {
        guard !isEncoded else {
            state.withLock { if $0.mode == .holding { $0.beginFeeding(block: 0) } }
            return time.wake()
        }
        let block = addBlock()
        let begins = state.withLock { state in
            guard state.mode == .holding else { return false }
            state.beginFeeding(block: block)
            return true
        }
        if !begins { gst_pad_remove_probe(pad.pointer, block) }
        time.wake()
    }

    private func addBlock() -> gulong {
        gst_pad_add_probe(
            pad.pointer,
            GstPadProbeType(
                rawValue: GST_PAD_PROBE_TYPE_BLOCK.rawValue | mh_gst_probe_data().rawValue
                    | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue), { _, _, _ in GST_PAD_PROBE_OK }, nil, nil)
    }

    /// Gives on what is held, then lets the stream pass; returns when it does, when it is held again, or when downstream takes
    /// nothing. It may take as long as what comes after wants, as a push does.
    /// - Thread: worker, once after each `beginFeeding`.
    func feed() {
        guard state.withLock({ $0.takeFeeding() }) else { return }
        sendWhatItDoesNotKnow()
        while give() {}
    }

    /// Lets one buffer more pass while it is held, or its end, if there is one: what mixes it with another stream may wait for it, and
    /// keep the other. `News.idle` follows; nothing happens where it was not that `hold` that was the last.
    /// - Thread: worker; takes as long as what comes after wants.
    func giveOne(round: Int) {
        guard state.withLock({ $0.takeGiving(round: round) }) else { return }
        // Who comes back meanwhile finds that somebody feeds already.
        if giveFirst() { state.withLock { for news in $0.takeBackEnd() { onNews(news) } } }
        time.wake()
        while give() {}
    }

    /// Whether the decoder may be ended without a loss: nothing was given to it since it was due.
    var canLoseDecoder: Bool { state.withLock { !$0.hasGivenMore } }

    /// What is held back does not wait for its time until `endHurry`, of each who began: what fills the queues before the pad would wait
    /// as long, and whoever waits for that. - Thread: any.
    func beginHurry() {
        hurries.add(1, ordering: .acquiringAndReleasing)
        time.wake()
    }

    func endHurry() { hurries.subtract(1, ordering: .acquiringAndReleasing) }

    /// Lets go of the pad, which lets everything pass from now on.
    /// - Thread: any, when nothing flows any more.
    func cancel() {
        let (probe, block) = state.withLock { state in
            defer { (state.probe, state.block, state.mode) = (0, 0, .passing) }
            return (state.probe, state.block)
        }
        time.wake()
        if block != 0 { gst_pad_remove_probe(pad.pointer, block) }
        if probe != 0 { gst_pad_remove_probe(pad.pointer, probe) }
    }

    /// Somebody else has come to the pad, who must see what is held: from now on this one comes after.
    /// - Thread: any.
    func stepBack() {
        guard state.withLock({ $0.probe != 0 }) else { return }
        let new = probe()
        let old = state.withLock { state in
            defer { state.probe = new }
            return state.probe
        }
        gst_pad_remove_probe(pad.pointer, old)
    }

    // MARK: - Feeding

    private func sendWhatItDoesNotKnow() {
        let unknown = state.withLock { state -> [HeldObject] in
            guard state.mode != .passing else { return [] }
            let unknown = state.before.inOrder.filter {
                !$0.isEnd && !state.known.contains($0.event)
            }
            for event in unknown {
                gst_mini_object_ref(event.pointer)
                state.known.put(HeldObject(retaining: event.raw))
            }
            return unknown
        }
        for event in unknown { gst_pad_send_event(peer.pointer, event.event) }
    }

    /// False when it is over.
    private func give() -> Bool {
        let now = time.now
        switch state.withLock({ $0.nextStep(now: now) }) {
        case .heldAgain(let round):
            // Nor is anything that passed before.
            tellWhenIdle(round: round)
            return false
        case .closeUp:
            let block = addBlock()
            if !state.withLock({ $0.closeUp(block: block) }) { gst_pad_remove_probe(pad.pointer, block) }
            return true
        case .allGiven(let block):
            if block != 0 { gst_pad_remove_probe(pad.pointer, block) }
            time.wake()
            return false
        case .next(let next):
            give(next)
            return true
        }
    }

    /// Up to the first that brings the stream on. Whether that is its end.
    private func giveFirst() -> Bool {
        while let next = state.withLock({ $0.nextHeld() }) {
            let (isStep, isEnd) = (next.object.isStep, next.object.isEnd)
            give(next)
            // One that was given before is still the last of what is held.
            if next.isSkipped ? isEnd : isStep { return isEnd }
        }
        return false
    }

    private func give(_ next: HeldStreamState.Next) {
        if next.isSkipped { next.object.release() } else { push(next.object, next.generation) }
    }

    /// Under the lock by which a flush takes its turn: nothing of before a flush is given after it.
    private func push(_ object: HeldObject, _ generation: Int) {
        mh_gst_pad_stream_lock(peer.pointer)
        defer { mh_gst_pad_stream_unlock(peer.pointer) }
        guard state.withLock({ $0.generation }) == generation else { return object.release() }
        if object.isEvent {
            gst_pad_send_event(peer.pointer, object.event)
            return
        }
        switch gst_pad_chain(peer.pointer, object.buffer) {
        // One that lies behind the end of its segment; those after it may not.
        case GST_FLOW_OK, GST_FLOW_EOS: break
        // The stream's own next push gets the same answer, and says why.
        default: state.withLock { $0.refuse(generation) }
        }
    }
}
