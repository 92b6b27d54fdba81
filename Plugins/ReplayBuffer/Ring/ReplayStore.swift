import Locking
import PluginKit
import Synchronization

/// The ring between the streaming threads that fill it and the workers that read clips.
///
/// Lock: `state` is a leaf. A streaming thread holds it for one memcpy of a frame; a save for a chunk of at most
/// `chunkFrames` index entries (12 kB), a player for `pieceBytes` of a frame. A save reads bytes outside of it, protected by
/// its pin, so the stream never waits for a file, nor for a copy of more than that.
final class ReplayStore: StreamTap {
    static let chunkFrames = 256

    struct State: ~Copyable {
        var ring: GOPRing
        var formats: TrackFormats
        var epoch: UInt32 = 0
        var position = LivePosition()
        var gaps = GapList()
        var epochs = EpochList()
        var pauses = PauseList()
        /// When the newest frame of the reference came, on CLOCK_BOOTTIME; nil before the first key frame.
        var lastFrame: Int64?
        var lastEpoch: UInt32 = 0
        /// Runs before this process.
        var formerEpochs: UInt32 = 0
        var shift = TimelineShift()
        var notes = NotesLog()
        /// Media time that a waiting trigger is waiting for.
        var awaited = Int64.max
    }

    let slab: ByteSlab
    let tracks: Int
    let segmentCapacity: Int
    let state: Locked<State>
    /// Which kinds of news nobody has been told of yet.
    private let unreported = Atomic<UInt8>(0)
    private let notify: @Sendable () -> Void
    private let clocks: @Sendable () -> WallTimes

    /// - Parameters:
    ///   - clocks: what the host's clocks show; called on the streaming thread for every frame of the reference.
    ///   - notify: called on the streaming thread when there is news.
    init(
        slab: ByteSlab, frameCapacity: Int, window: Int64, tracks: Int = 1,
        clocks: @escaping @Sendable () -> WallTimes = { WallTimes() }, notify: @escaping @Sendable () -> Void
    ) {
        self.slab = slab
        self.tracks = tracks
        self.notify = notify
        self.clocks = clocks
        segmentCapacity = GOPRing.segmentCapacity(window: window, frames: frameCapacity)
        state = Locked(
            State(
                ring: GOPRing(slab: slab, frameCapacity: frameCapacity, window: window, tracks: tracks),
                formats: TrackFormats(tracks: tracks)))
    }

    /// On a ring that outlives the process.
    init(
        _ opened: OpenedRing, window: Int64, clocks: @escaping @Sendable () -> WallTimes,
        notify: @escaping @Sendable () -> Void
    ) {
        slab = opened.place.slab
        tracks = opened.pads.count
        self.notify = notify
        self.clocks = clocks
        segmentCapacity = opened.place.layout.segments
        state = Locked(State(opened, window: window, now: clocks()))
    }

    // MARK: Stream

    func epoch(_ epoch: StreamEpoch) {
        let begin = epoch.boottime.nanoseconds
        state.withLock { state in
            state.epoch = state.formerEpochs &+ epoch.number
            state.epochs.begin(state.epoch, at: begin, lastFrame: state.lastFrame)
            state.ring.interrupt()
            state.note()
        }
    }

    func endOfStream() {
        let now = clocks().monotonic
        state.withLock { $0.position.hold(at: now, oldest: $0.ring.oldest) }
        tell(.ended)
    }

    func format(_ id: UInt32, caps: Span<UInt8>) { format(caps, of: 0) }

    func buffer(_ buffer: borrowing StreamBuffer) { append(buffer, 0) }

    func format(_ caps: Span<UInt8>, of track: UInt8) {
        let text = String(copying: caps)
        state.withLock { state in
            state.formats.set(text, of: track, oldest: state.ring.tail, next: state.ring.head)
            // Before the first frame of it.
            state.note()
        }
    }

    /// - Thread: stream; one of several where there are tracks.
    func append(_ buffer: borrowing StreamBuffer, _ track: UInt8) {
        var frame = Frame()
        frame.dts = buffer.dts?.nanoseconds ?? Frame.none
        frame.duration = buffer.durationNanoseconds ?? Frame.none
        frame.track = track
        frame.isKey = track == 0 && buffer.isKeyFrame
        let pts = buffer.pts?.nanoseconds
        let wall = track == 0 ? clocks() : WallTimes()
        let (outcome, needsKey, isAwaited) = buffer.withBytes { bytes in
            state.withLock { state in
                guard Self.place(&frame, pts, &state) else {
                    return (state.ring.dropped(.needsKey), state.ring.takeKeyRequest(), false)
                }
                frame.epoch = state.epoch
                frame.format = state.formats[track]
                let (cuts, newest) = (state.ring.cuts, state.ring.newestEnd)
                let outcome = state.ring.append(bytes, frame, at: wall)
                if state.ring.cuts != cuts { state.position.lost(after: state.ring.newestEnd) }
                if track == 0, outcome == .stored { Self.move(&state, frame, wall, newest) }
                let isAwaited = state.ring.newestEnd >= state.awaited
                if isAwaited { state.awaited = .max }
                return (outcome, state.ring.takeKeyRequest(), isAwaited)
            }
        }
        switch outcome {
        case .oversized(first: true): tell(.oversized)
        case .held(first: true): tell(.held)
        default: break
        }
        if needsKey { tell(.needsKey) }
        if isAwaited { tell(.reached) }
    }

    /// Puts a frame on the ring's timeline; false where nobody knows yet where that is.
    private static func place(_ frame: inout Frame, _ pts: Int64?, _ state: inout State) -> Bool {
        guard let time = pts ?? (frame.dts != Frame.none ? frame.dts : nil) else {
            frame.pts = state.ring.newestEnd
            return true
        }
        guard let shift = state.shift.place(time, isKey: frame.isKey) else { return false }
        frame.pts = time &+ shift
        if frame.dts != Frame.none { frame.dts &+= shift }
        return true
    }

    /// - Parameter newest: where the pictures before this frame end.
    private static func move(_ state: inout State, _ frame: Frame, _ wall: WallTimes, _ newest: Int64) {
        let length = state.ring.length(of: frame)
        findPause(&state, frame, wall, newest, length)
        let end = (frame.dts == Frame.none ? frame.pts : frame.dts) &+ length
        if let gap = state.position.frame(
            end: end, length: length, at: wall.monotonic, oldest: state.ring.oldest)
        {
            state.gaps.add(from: gap.from, to: gap.to)
            state.note()
        }
        state.lastFrame = wall.boottime &+ length
        state.lastEpoch = frame.epoch
    }

    /// What the clock went on and media time did not, where the pipeline stood in one epoch; see `EpochList` for others.
    private static func findPause(
        _ state: inout State, _ frame: Frame, _ wall: WallTimes, _ newest: Int64, _ length: Int64
    ) {
        guard state.position.isStopped, let last = state.lastFrame, state.lastEpoch == frame.epoch else { return }
        let quiet = wall.boottime &- last &- max(0, frame.pts &- newest)
        guard quiet > ClipTimeMap.leastGap else { return }
        // A picture that belongs before those that came already was only decoded later.
        let isNext = frame.pts > newest &- length / 2
        let at = frame.isKey ? frame.pts : isNext ? min(newest, frame.pts) : newest
        let decoding = frame.isKey && frame.dts != Frame.none ? frame.dts : at
        state.pauses.add(Pause(at: at, decoding: decoding, length: quiet))
        state.note()
    }

    // MARK: News

    enum News: UInt8, CaseIterable { case oversized = 1, held = 2, needsKey = 4, reached = 8, ended = 16 }

    private func tell(_ news: News) {
        unreported.bitwiseOr(news.rawValue, ordering: .releasing)
        notify()
    }

    /// The kinds of news since the last call; a loss once for each GOP that was lost, at most.
    /// - Thread: main.
    func takeNews() -> [News] {
        let bits = unreported.exchange(0, ordering: .acquiring)
        return News.allCases.filter { bits & $0.rawValue != 0 }
    }

    // MARK: Clips

    var status: RingStatus { state.withLock { $0.ring.status } }
    /// Where the next frame belongs, in media time.
    var newest: Int64 { state.withLock { $0.ring.newestEnd } }
    var saves: Int { state.withLock { $0.ring.pins.count } }
    var capacity: Int { slab.capacity }

    /// All but what saves are reading goes; the timeline goes on. - Thread: main.
    func reset() {
        state.withLock { state in
            state.ring.reset()
            state.gaps.reset()
            state.position.goLive()
            state.note()
        }
        if state.withLock({ $0.ring.takeKeyRequest() }) { tell(.needsKey) }
    }

    /// - Parameter body: gets the oldest place there is, too.
    /// - Thread: main.
    func movePosition(_ body: @Sendable (inout LivePosition, _ oldest: Int64) -> Void) {
        state.withLock { body(&$0.position, $0.ring.oldest) }
    }

    /// Tells `.reached` once when the newest frame ends at `time` or later; at once where it does.
    /// - Thread: main.
    func tellReached(_ time: Int64) {
        let isThere = state.withLock { state in
            guard state.ring.newestEnd < time else { return true }
            state.awaited = min(state.awaited, time)
            return false
        }
        if isThere { tell(.reached) }
    }

    /// The media time of the first key frame at or after `time`. - Thread: main.
    func keyTime(notBefore time: Int64) -> Int64? { state.withLock { $0.ring.keyTime(notBefore: time) } }

    var epochs: EpochList { state.withLock { $0.epochs } }
    /// Oldest first.
    var pauses: [Pause] { state.withLock { $0.pauses.all } }

    /// - Thread: main.
    func pin(last length: Int64?) -> GOPRing.Choice { state.withLock { $0.ring.pin(last: length) } }

    /// - Thread: main.
    func pin(from: Int64?, to: Int64?) -> GOPRing.Choice { state.withLock { $0.ring.pin(from: from, to: to) } }

    /// As GStreamer writes them, by the ring's number of a frame's format; empty where it is unknown.
    /// - Thread: any.
    func caps(_ format: UInt16) -> String { state.withLock { $0.formats.caps(format) } }

    /// Fills `chunk` with the next pinned entries from `sequence` on.
    /// - Parameter releasing: whether all before it is let go of.
    /// - Thread: worker.
    func read(_ clip: ClipRange, from sequence: UInt64, into chunk: inout [Frame], releasing: Bool = true) {
        state.withLock { state in
            if releasing { state.ring.pins.advance(clip.slot, to: sequence) }
            state.ring.copyFrames(from: sequence, to: clip.end, into: &chunk, limit: Self.chunkFrames)
        }
    }

    /// Shows the bytes of a pinned frame.
    /// - Thread: worker.
    func withBytes<Result, Failure: Error>(
        of frame: Frame, scratch: inout [UInt8], _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try slab.withBytes(at: frame.position, count: Int(frame.size), scratch: &scratch, body)
    }

    /// The end of a save. - Thread: any.
    func unpin(_ clip: ClipRange) {
        state.withLock { $0.ring.pins.remove(clip.slot) }
    }
}
