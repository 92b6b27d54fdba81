/// The last seconds of the encoded streams of one pipeline: whole GOPs in a byte slab, with an index entry per frame.
///
///     index   [ a · a K · a · K · a · · a K · · ]    tail <= firstKey <= head, sequence numbers that count up for ever
///     slab    [aa··aaKKKK··aa··KKKK··aa···KKKK]      positions that count up for ever
///
/// Frames of all tracks lie in the order in which they came. Track 0 is the reference: its key frames begin the GOPs, and
/// what comes of the others meanwhile belongs to the GOP. An encoder that holds pictures back lets sound come first, so
/// before the oldest key frame lies a *lead*: the frames of other tracks that sound with it, and what came between them.
///
/// Bounds: the oldest GOP leaves when the rest still covers `window`, or when bytes or index entries run out. A GOP that
/// alone needs more than the slab, or lasts longer than twice the window, is taken out again and its remaining frames are
/// dropped up to the next key frame: half of it would be neither "the last seconds" nor ever grow old. At 80 % of either
/// bound a key frame is asked for.
///
/// Pins: a save reserves a range of frames; what is pinned is neither evicted nor overwritten, and the pin moves on while
/// the save reads. If the stream reaches a pinned GOP it loses new frames (counted) rather than wait.
///
/// Pure: no thread, no clock, no allocation after init. The owner brings the lock.
struct GOPRing: ~Copyable {
    enum Outcome: Equatable {
        case stored
        /// No key frame to start from.
        case needsKey
        /// The current GOP is larger than the bounds. `first` of its kind since the last key frame.
        case oversized(first: Bool)
        /// A save holds the room that is needed.
        case held(first: Bool)
    }

    let slab: ByteSlab
    let frameCapacity: Int
    /// Nanoseconds.
    let window: Int64
    let tracks: Int

    let index: UnsafeMutablePointer<Frame>
    /// Where it outlives the process; nil where it is memory of this process alone.
    let place: RingPlace?
    // All of what follows is written by this file, its extensions, and nobody else.
    /// Sequence of the oldest frame that is kept, of the oldest GOP's key frame (`head` where there is none), and of the
    /// next one to come.
    var tail: UInt64 = 0
    var firstKey: UInt64 = 0
    var head: UInt64 = 0
    var gops = 0
    var segments: SegmentTable
    /// End of the newest frame of the reference, in presentation order.
    var newestEnd: Int64 = 0
    var drops = RingDrops()
    /// How often the newest frames were taken out again, and where the last time: from there on sequence numbers mean other
    /// frames than before.
    var cuts: UInt64 = 0
    var lastCut: UInt64 = 0
    var pins = PinSet()

    var writePosition: UInt64 = 0
    /// The key frame of the newest GOP; meaningless while there is none.
    var currentKey: UInt64 = 0
    var skip: Skip? = .needsKey
    /// Distance of the reference's last two frames, for streams that carry no durations.
    var lastStep: Int64 = 0
    var lastPTS = Frame.none
    /// The clocks when the newest frame of the reference came.
    var lastWall = WallTimes()
    /// Nothing before it is a lead.
    var leadFloor: UInt64 = 0
    var keyRequest = KeyRequest.none
    /// How often it said what counts.
    var commits: UInt64 = 0

    enum Skip { case needsKey, oversized, held }
    enum KeyRequest { case none, wanted, made }
    /// What a lead is looked for in, in frames: a second of one picture stream and several of sound is 200 to 300.
    static var leadLimit: UInt64 { 512 }

    init(slab: ByteSlab, frameCapacity: Int, window: Int64, tracks: Int = 1) {
        self.slab = slab
        self.frameCapacity = max(2, frameCapacity)
        self.window = window
        self.tracks = tracks
        place = nil
        segments = SegmentTable(capacity: Self.segmentCapacity(window: window, frames: frameCapacity))
        index = .allocate(capacity: self.frameCapacity)
        index.initialize(repeating: Frame(), count: self.frameCapacity)
    }

    /// A ring whose index, segments and bytes all lie in `place`; what lies there already is taken on by `restore`.
    init(_ place: RingPlace, window: Int64, tracks: Int) {
        slab = place.slab
        frameCapacity = place.layout.frames
        self.window = window
        self.tracks = tracks
        self.place = place
        segments = SegmentTable(place.segments, capacity: place.layout.segments)
        index = place.index
    }

    deinit { if place == nil { index.deallocate() } }

    /// Twice the window, and never more than a small part of what the frames take.
    static func segmentCapacity(window: Int64, frames: Int) -> Int {
        max(2, min(Int(clamping: min(window / SegmentTable.length, 1_000_000)) * 2 + 64, frames / 8))
    }

    var count: Int { Int(head - tail) }
    var usedBytes: Int { head == tail ? 0 : Int(writePosition - self[tail].position) }
    var isEmpty: Bool { gops == 0 }
    /// Media time of the oldest key frame; of the newest end where there is nothing.
    var oldest: Int64 { gops > 0 ? self[firstKey].pts : newestEnd }

    /// - Precondition: `tail <= sequence < head`.
    subscript(sequence: UInt64) -> Frame {
        index[Int(sequence % UInt64(frameCapacity))]
    }

    var status: RingStatus {
        var status = RingStatus()
        status.drops = drops
        guard gops > 0 else { return status }
        status.frames = count
        status.gops = gops
        status.bytes = usedBytes
        status.oldest = oldest
        status.newest = newestEnd
        return status
    }

    /// Takes a copy of one frame, or drops it. `frame` brings times, epoch, format, track and whether it is a key frame.
    /// - Parameter wall: the clocks now; kept where a segment begins.
    /// - Thread: stream. Allocates nothing; copies at most `bytes`.
    mutating func append(_ bytes: RawSpan, _ frame: Frame, at wall: WallTimes = WallTimes()) -> Outcome {
        let outcome = take(bytes, frame, wall)
        publish()
        return outcome
    }

    private mutating func take(_ bytes: RawSpan, _ frame: Frame, _ wall: WallTimes) -> Outcome {
        var frame = frame
        let oldest = tail
        if frame.track != 0 {
            frame.isKey = false
            guard gops > 0 else { return dropped(.needsKey) }
            // Its pictures are not kept. Before the key frame of another run it may be that one's.
            if let reason = skip, reason != .needsKey { return dropped(reason) }
        } else if frame.isKey {
            skip = nil
            keyRequest = .none
        } else if let reason = skip {
            return dropped(reason)
        } else if frame.format != self[currentKey].format {
            // Nothing can decode on from a key frame of another format.
            skip = .needsKey
            return dropped(.needsKey)
        }
        if let reason = makeRoom(for: bytes.byteCount, frame) {
            // The newest GOP is complete: it is not what there is no room for.
            if reason == .held, skip != nil { return lose(reason) }
            return dropCurrent(reason, isKey: frame.isKey)
        }
        // What is overwritten now must be nobody's any more.
        if tail != oldest { publish() }
        frame.position = writePosition
        frame.size = UInt32(truncatingIfNeeded: bytes.byteCount)
        slab.write(bytes, at: frame.position)
        store(&frame)
        place?.seal(frame, at: head - 1, bytes)
        writePosition &+= UInt64(bytes.byteCount)
        if frame.track == 0 { lastWall = wall }
        if frame.isKey { segments.begin(frame, at: head - 1, wall) }
        evictByAge()
        // Where sound goes on without pictures, nothing gets older for it than it may get.
        if frame.track != 0 {
            let end = frame.pts &+ max(0, frame.duration)
            while gops > 1, end &- self[firstKey].pts > longest, evictOldest() {}
        }
        askForKey()
        return .stored
    }

    /// A new run of the pipeline: nothing is wiped, but what follows must start with a key frame.
    mutating func interrupt() { skip = .needsKey }

    /// Empties the ring, but for what saves are reading.
    mutating func reset() {
        (firstKey, leadFloor, gops) = (head, head, 0)
        trimLead()
        segments.reset()
        interrupt()
        keyRequest = .wanted
        publish()
    }

    /// Whether the encoder should be asked for a key frame now; says so once.
    mutating func takeKeyRequest() -> Bool {
        guard keyRequest == .wanted else { return false }
        keyRequest = .made
        return true
    }

    // MARK: Growing

    /// How long a frame of the reference lasts, as far as anybody knows.
    func length(of frame: Frame) -> Int64 { frame.duration > 0 ? frame.duration : lastStep }

    mutating func store(_ frame: inout Frame) {
        if frame.track == 0 {
            let end = frame.pts &+ length(of: frame)
            if lastPTS != Frame.none {
                let step = frame.pts &- lastPTS
                if step > 0, step < 1_000_000_000 { lastStep = step }
            }
            lastPTS = frame.pts
            // Not the maximum at a key: should media time ever step back, the bound by time heals there.
            newestEnd = frame.isKey ? end : max(newestEnd, end)
        }
        if frame.isKey {
            frame.link = 1
            currentKey = head
            if gops == 0 { firstKey = head }
            gops += 1
        } else {
            frame.link = UInt32(truncatingIfNeeded: head - currentKey)
            index[slot(currentKey)].link += 1
        }
        index[slot(head)] = frame
        head += 1
    }

    func slot(_ sequence: UInt64) -> Int { Int(sequence % UInt64(frameCapacity)) }

    /// The key frame of the GOP that a frame from `firstKey` on is in.
    func keyOf(_ sequence: UInt64) -> UInt64 {
        let frame = self[sequence]
        return frame.isKey ? sequence : sequence - UInt64(frame.link)
    }
}
