/// The last seconds of one encoded stream: whole GOPs in a byte slab, with an index entry per frame.
///
///     index   [ K · · · K · · · K · · ]      tail ........ head, sequence numbers that count up for ever
///     slab    [KKKK··········KKKK·····]      positions that count up for ever
///
/// Bounds: the oldest GOP leaves when the rest still covers `window`, or when bytes or index entries run out. A GOP that
/// alone needs more than the slab is taken out again and its remaining frames are dropped up to the next key frame: half
/// of it would be neither "the last seconds" nor ever grow old.
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
        /// The current GOP is larger than the memory. `first` of its kind since the last key frame.
        case oversized(first: Bool)
        /// A save holds the room that is needed.
        case held(first: Bool)
    }

    let slab: ByteSlab
    let frameCapacity: Int
    /// Nanoseconds.
    let window: Int64

    let index: UnsafeMutablePointer<Frame>
    /// Sequence of the oldest frame, a key frame, and of the next one to come.
    private(set) var tail: UInt64 = 0
    private(set) var head: UInt64 = 0
    private(set) var gops = 0
    /// The first frame of the newest run of one format.
    private(set) var formatStart: UInt64 = 0
    /// End of the newest frame, in presentation order.
    private(set) var newestEnd: Int64 = 0
    private(set) var drops = RingDrops()
    var pins = PinSet()

    private var writePosition: UInt64 = 0
    /// The key frame of the GOP that is growing; meaningless while `skip` is set.
    private var currentKey: UInt64 = 0
    /// What `newestEnd` and `formatStart` were before that GOP, for taking it out again.
    private var endBeforeCurrent: Int64 = 0
    private var formatStartBeforeCurrent: UInt64 = 0
    private var skip: Skip? = .needsKey
    /// Distance of the last two frames, for streams that carry no durations.
    private var lastStep: Int64 = 0

    private enum Skip { case needsKey, oversized, held }

    init(slab: ByteSlab, frameCapacity: Int, window: Int64) {
        self.slab = slab
        self.frameCapacity = max(2, frameCapacity)
        self.window = window
        index = .allocate(capacity: self.frameCapacity)
        index.initialize(repeating: Frame(), count: self.frameCapacity)
    }

    deinit { index.deallocate() }

    var count: Int { Int(head - tail) }
    var usedBytes: Int { head == tail ? 0 : Int(writePosition - self[tail].position) }

    /// - Precondition: `tail <= sequence < head`.
    subscript(sequence: UInt64) -> Frame {
        index[Int(sequence % UInt64(frameCapacity))]
    }

    var status: RingStatus {
        var status = RingStatus()
        status.drops = drops
        guard head > tail else { return status }
        status.frames = count
        status.gops = gops
        status.bytes = usedBytes
        status.oldest = self[tail].pts
        status.newest = newestEnd
        return status
    }

    /// Takes a copy of one frame, or drops it. `frame` brings times, epoch, format and whether it is a key frame.
    /// - Thread: stream. Allocates nothing; copies at most `bytes`.
    mutating func append(_ bytes: RawSpan, _ frame: Frame) -> Outcome {
        var frame = frame
        if frame.isKey {
            skip = nil
            endBeforeCurrent = newestEnd
        } else if let reason = skip {
            return dropped(reason)
        } else if frame.format != self[currentKey].format {
            // Nothing can decode on from a key frame of another format.
            skip = .needsKey
            return dropped(.needsKey)
        }
        if let reason = makeRoom(for: bytes.byteCount, growsCurrent: !frame.isKey) {
            return dropCurrent(reason, isKey: frame.isKey)
        }
        frame.position = writePosition
        frame.size = UInt32(truncatingIfNeeded: bytes.byteCount)
        store(&frame)
        slab.write(bytes, at: frame.position)
        writePosition &+= UInt64(bytes.byteCount)
        while gops > 1, newestEnd &- self[secondGOP].pts >= window, evictOldest() {}
        return .stored
    }

    /// A new run of the pipeline: nothing is wiped, but what follows must start with a key frame.
    mutating func interrupt() { skip = .needsKey }

    // MARK: Growing

    private mutating func store(_ frame: inout Frame) {
        let end = frame.pts &+ (frame.duration > 0 ? frame.duration : lastStep)
        if head > tail {
            let step = frame.pts &- self[head - 1].pts
            if step > 0, step < 1_000_000_000 { lastStep = step }
        }
        if frame.isKey {
            formatStartBeforeCurrent = formatStart
            if head == tail || self[head - 1].format != frame.format { formatStart = head }
            frame.link = 1
            currentKey = head
            gops += 1
            // Not the maximum: should media time ever step back, the bound by time heals with the next key frame.
            newestEnd = end
        } else {
            frame.link = UInt32(truncatingIfNeeded: head - currentKey)
            index[slot(currentKey)].link += 1
            newestEnd = max(newestEnd, end)
        }
        index[slot(head)] = frame
        head += 1
    }

    /// Evicts until `bytes` and one entry fit; the reason if they never will.
    private mutating func makeRoom(for bytes: Int, growsCurrent: Bool) -> Skip? {
        guard bytes <= slab.capacity, bytes <= UInt32.max else { return .oversized }
        while usedBytes + bytes > slab.capacity || count == frameCapacity {
            if growsCurrent, gops == 1 { return .oversized }
            if !evictOldest() { return .held }
        }
        return nil
    }

    /// False where a save holds it.
    private mutating func evictOldest() -> Bool {
        let end = secondGOP
        guard end <= pins.floor else { return false }
        tail = end
        gops -= 1
        return true
    }

    private var secondGOP: UInt64 { tail + UInt64(self[tail].link) }

    // MARK: Dropping

    /// Takes the growing GOP out again, as far as no save reads it. What a save holds stays as a shorter GOP.
    private mutating func dropCurrent(_ reason: Skip, isKey: Bool) -> Outcome {
        skip = reason
        guard !isKey else { return dropped(reason, first: true) }
        let end = max(currentKey, min(head, pins.ceiling))
        let removed = Int(head - end)
        if end == currentKey {
            gops -= 1
            writePosition = self[currentKey].position
            newestEnd = endBeforeCurrent
            formatStart = formatStartBeforeCurrent
        } else if end < head {
            writePosition = self[end].position
            index[slot(currentKey)].link = UInt32(truncatingIfNeeded: end - currentKey)
            newestEnd = endBeforeCurrent
            for sequence in currentKey..<end {
                newestEnd = max(newestEnd, self[sequence].pts &+ max(0, self[sequence].duration))
            }
        }
        head = end
        return dropped(reason, first: true, also: removed)
    }

    private mutating func dropped(_ reason: Skip, first: Bool = false, also removed: Int = 0) -> Outcome {
        switch reason {
        case .needsKey:
            drops.withoutKey += 1
            return .needsKey
        case .oversized:
            drops.oversizedFrames += 1 + removed
            drops.oversizedGOPs += first ? 1 : 0
            return .oversized(first: first)
        case .held:
            drops.heldFrames += 1 + removed
            drops.heldGOPs += first ? 1 : 0
            return .held(first: first)
        }
    }

    private func slot(_ sequence: UInt64) -> Int { Int(sequence % UInt64(frameCapacity)) }
}
