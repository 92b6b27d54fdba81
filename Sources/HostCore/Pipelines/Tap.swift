internal import GStreamerKit
import Locking
import Synchronization

/// A listener at `element.pad` of one pipeline that stays over every rebuild.
///
/// The controller attaches it to each new build and detaches it from the old one; `detach` ends it for good.
/// Lock order: `state`, then the pipeline's `MediaTime`. The client is called with `state` held: calls of one tap never
/// overlap. A call may never return: workers wait for the lock, the control thread does not.
public final class Tap: Sendable {
    public let pad: ElementPad
    private let client: any TapClient
    private let mediaTime: MediaTime
    private let clock: any HostClock
    private let stream: Int
    private let state = Locked(State())
    private let probe = Locked<PadProbe?>(nil)
    /// Which pad it listens at, counted: what one before still brings is of a build that was given up.
    private let attachment = Atomic<Int>(0)
    /// What passes is thrown away again before it counts: the preroll before a loop's first seek.
    private let isClosed = Atomic<Bool>(false)

    private struct State {
        var segment: Segment?
        var caps: Caps?
        var capsID: UInt32 = 0
        var epoch: UInt32 = 0
        var formatIsTold = false
        var frameDuration: ClockTime?
        /// Nothing has passed since it was put on its pad.
        var isFresh = false
    }

    init(pad: ElementPad, client: any TapClient, mediaTime: MediaTime, clock: any HostClock) {
        self.pad = pad
        self.client = client
        self.mediaTime = mediaTime
        self.clock = clock
        stream = mediaTime.addStream()
    }

    /// Pads it is on, old builds included, until their last call has returned.
    @HostActor private var attachments = 0
    @HostActor private var isEnding = false

    /// What came of an attempt to attach.
    enum Attachment {
        /// `remove` takes it off again.
        case on(PadProbe)
        /// Its client has not come back from a call of a build that was given up.
        case isBusy
        /// The pad takes no probe.
        case refused
    }

    /// Puts the tap on a pad: of a new build before anything flows, or of one that runs. There the events that tell the
    /// format and the segment have passed already and do not come again, so they are asked for.
    /// - Parameter closed: it hears nothing before the pad is flushed, or `open`.
    /// - Thread: main.
    @HostActor
    func attach(to pad: Pad, closed: Bool) -> Attachment {
        leave()
        attachments += 1
        let removed: @Sendable () -> Void = { HostActor.enqueue { self.wasRemoved() } }
        // The first call of the probe waits for the lock: whatever it brings comes after what is asked for here.
        let attempt: PadProbe?? = state.withLockIfAvailable { state in
            state.segment = nil
            state.formatIsTold = false
            state.isFresh = true
            isClosed.store(closed, ordering: .relaxed)
            let number = attachment.load(ordering: .relaxed)
            // The token keeps the pad; a probe that did would keep its own pad for ever.
            let added = pad.addProbe(events: true, onRemoved: removed) { [self, weak pad] data in
                observe(data, from: number) { pad }
                return .pass
            }
            learn(of: pad, &state)
            return added
        }
        let added = attempt ?? nil
        mediaTime.setMissed(attempt == nil, stream)
        probe.withLock { $0 = added }
        if let added { return .on(added) }
        attachments -= 1
        return attempt == nil ? .isBusy : .refused
    }

    /// Returns when its client is in no call. - Thread: worker.
    func waitForClient() { state.withLock { _ in } }

    /// Tells the client that its pipeline plays without it for as long as it has not come back.
    @HostActor
    func tellItIsMissed() { client.missed() }

    /// Which of its attachments is the present one.
    var number: Int { attachment.load(ordering: .relaxed) }

    /// It hears nothing before its pad is flushed, or `open`; a call that is under way is over. Nothing where it is on another pad by
    /// then. - Thread: worker.
    func close(_ number: Int) {
        state.withLock { _ in
            if isOn(number) { isClosed.store(true, ordering: .relaxed) }
        }
    }

    /// From now on it hears what passes. - Thread: any.
    func open() { isClosed.store(false, ordering: .relaxed) }

    /// Leaves the pad of a build that hangs, and may play on: what it still brings is of nobody's time any more. A call that is under
    /// way comes to its end.
    @HostActor
    func leave() {
        attachment.wrappingAdd(1, ordering: .relaxed)
        probe.withLock { $0.take() }?.cancel()
    }

    /// Takes the tap off a pad; the next build gets it again, or has it by now.
    @HostActor
    func remove(_ attached: PadProbe) {
        attached.cancel()
        probe.withLock { if $0 === attached { $0 = nil } }
    }

    /// Tells the client that a build has no place for it; later, because the client may end taps of that very build.
    @HostActor
    func refuse(_ failure: PipelineFailure) {
        HostActor.enqueue { [self] in
            if !isEnding { client.refused(failure) }
        }
    }

    /// It came to no pad: nobody waits for what it would have heard.
    @HostActor
    func drop() { mediaTime.removeStream(stream) }

    /// Ends it for good. The client's `detached` follows when no call is running and none can come.
    @HostActor
    func end() {
        guard !isEnding else { return }
        isEnding = true
        // Nobody waits for what it would hear, also where a call of its is still under way.
        mediaTime.setMissed(true, stream)
        probe.withLock { $0.take() }?.cancel()
        if attachments == 0 { detached() }
    }

    @HostActor
    private func wasRemoved() {
        attachments -= 1
        if isEnding, attachments == 0 { detached() }
    }

    /// No call is running, and none can come.
    @HostActor
    private func detached() {
        mediaTime.removeStream(stream)
        client.detached()
    }

    /// - Thread: stream.
    private func observe(_ data: consuming ProbeData, from number: Int, at pad: () -> Pad?) {
        switch consume data {
        case .buffer(let buffer):
            state.withLock { state in
                guard isOn(number) else { return }
                // What passed as it came: a sink's pad knows it when it has passed, and not before.
                if state.isFresh {
                    state.isFresh = false
                    if let pad = pad() { learn(of: pad, &state) }
                }
                deliver(buffer, &state)
            }
        case .event(let event): state.withLock { if isOn(number) { follow(event, &$0) } }
        case .upstream: break
        case .other: break
        }
    }

    /// What the stream has said of itself so far.
    private func learn(of pad: Pad, _ state: inout State) {
        if let caps = pad.currentCaps { follow(.caps(caps), &state) }
        state.segment = pad.currentSegment
    }

    private func isOn(_ number: Int) -> Bool { attachment.load(ordering: .relaxed) == number }

    private func deliver(_ buffer: borrowing BufferView, _ state: inout State) {
        guard !isClosed.load(ordering: .relaxed) else { return }
        let runningTime = state.segment?.runningTime(of: buffer.pts)
        let decodeTime = state.segment?.runningTime(of: buffer.dts)
        let duration = buffer.duration ?? state.frameDuration
        let (placement, epoch) = mediaTime.place(
            stream, runningTime: runningTime, decodeTime: decodeTime, duration: duration, now: clock.coarse())
        guard case .at(let offset) = placement else { return }
        announce(epoch, offset, &state)
        let dts = decodeTime.map { $0 + offset }
        client.buffer(
            TapBuffer(
                view: buffer.lend(), pts: runningTime.map { $0 + offset }, dts: dts, runningTime: runningTime,
                duration: duration, capsID: state.capsID, epoch: epoch, stream: UInt32(truncatingIfNeeded: stream)))
    }

    private func follow(_ event: StreamEvent, _ state: inout State) {
        switch event {
        case .caps(let caps):
            state.frameDuration = caps.isVideo ? caps.frameDuration : nil
            mediaTime.setKind(Self.kind(of: caps), of: stream)
            if state.caps?.description != caps.description {
                state.caps = caps
                state.capsID += 1
                state.formatIsTold = false
            }
        case .segment(let segment): state.segment = segment
        case .gap(let pts, let duration):
            guard !isClosed.load(ordering: .relaxed), let runningTime = state.segment?.runningTime(of: pts) else {
                return
            }
            let (placement, epoch) = mediaTime.place(
                stream, runningTime: runningTime, decodeTime: nil, duration: duration, now: clock.coarse())
            guard case .at(let offset) = placement else { return }
            announce(epoch, offset, &state)
            client.gap(pts: runningTime + offset, duration: duration)
        case .endOfStream: if !isClosed.load(ordering: .relaxed) { client.endOfStream() }
        case .flushStop: isClosed.store(false, ordering: .relaxed)
        case .streamStart, .flushStart, .other: break
        }
    }

    private func announce(_ epoch: UInt32, _ offset: ClockTime, _ state: inout State) {
        if state.epoch != epoch {
            state.epoch = epoch
            state.formatIsTold = false
            client.epoch(
                TapEpoch(
                    number: epoch, offset: offset, monotonic: clock.monotonic(), boottime: clock.boottime(),
                    realtime: clock.realtime()))
        }
        if !state.formatIsTold, let caps = state.caps {
            state.formatIsTold = true
            client.format(id: state.capsID, caps: caps)
        }
    }

    private static func kind(of caps: Caps) -> MediaTimeline.Kind {
        if caps.isVideo { return .video }
        return caps.mediaType?.hasPrefix("audio/") == true ? .audio : .other
    }
}
