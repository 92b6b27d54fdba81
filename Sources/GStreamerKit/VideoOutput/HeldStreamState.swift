internal import CGStreamer

/// What a held stream has, knows and is about to give: its decisions, under the lock of who performs them.
struct HeldStreamState {
    enum Mode {
        case passing, holding, feeding
    }

    private enum Feeder {
        case none, asked, running
    }

    /// What was taken out of what is held.
    struct Next {
        var object: HeldObject
        /// What comes after knows it already, or cannot begin with it.
        var isSkipped: Bool
        var generation: Int
    }

    /// What comes next while it feeds.
    enum Step {
        case next(Next)
        /// Little is left: nothing is to come behind it.
        case closeUp
        case allGiven(block: gulong)
        case heldAgain(round: Int)
    }

    /// More than this of one stream is not kept: 10 s of 50 Mbit/s.
    static let mostBytes = 64 << 20

    /// So few are given while the stream waits before the pad, and what is ahead of its time: it comes to an end, and takes less time
    /// than queues hold, or than the sound is ahead.
    static let lastFew = 8

    /// What a buffer takes beside what is in it: 490 bytes were measured (GstBuffer, its memory, the queue's entry).
    static let bytesOfBuffer = 512

    /// More of these are not taken ahead of their time: many times what a demuxer is ahead, and nothing to a file of subtitles.
    static let mostSparse = 64

    /// Whether a part of it can be decoded only with what came before.
    let isEncoded: Bool
    /// Whether it has its buffers seconds apart, as subtitles have, each to be seen until the next.
    let isSparse: Bool
    private var passed = RecentBuffers()
    var mode = Mode.passing
    var queue = KeyFrameQueue<HeldObject>()
    /// At the beginning of the queue.
    var before = StickyEvents()
    /// What the decoder knows.
    var known = StickyEvents()
    var segment: Segment?
    /// Counts flushes: what was taken before one is not given after it.
    var generation = 0
    /// It was told that the decoder has nothing that is needed.
    private(set) var wasDue = false
    /// The decoder goes on with what is held.
    private var keepsAll = false
    /// The decoder was given more while the stream was held, and nothing has become due since.
    private(set) var hasGivenMore = false
    /// A raw picture in the hands of its thread, until its time has come or somebody gives it on.
    private(set) var waiting: HeldObject?
    /// Whether that is in plain memory: a display that begins anew does not know its own memory of before.
    private var isPlain = false
    /// Who gives on what is held: asked for, or at it.
    private var feeder = Feeder.none
    /// Of the last `hold`.
    private(set) var round = 0
    var hasToldEnd = false
    /// What comes after was given the end of the stream, whether it has taken it or not.
    var hasPassedEnd = false
    /// Buffers up to the next key frame are of no use.
    var needsKey = false
    /// Until the first buffer after feeding, events that were fed come once more.
    var mayRepeat = false
    var block: gulong = 0
    var probe: gulong = 0
    /// Where the last buffer ends, in running time.
    var end = ClockTime.zero

    init(isEncoded: Bool, isSparse: Bool = false) { (self.isEncoded, self.isSparse) = (isEncoded, isSparse) }

    /// From now on it is held.
    mutating func beginHolding(round: Int) {
        (mode, wasDue, keepsAll, hasGivenMore, end) = (.holding, false, false, false, .zero)
        self.round = round
    }

    /// Whoever comes with `takeFeeding` first gives it on; or who is at it still.
    mutating func beginFeeding(block: gulong) {
        (mode, self.block) = (.feeding, block)
        if feeder == .none { feeder = .asked }
    }

    /// Nothing comes behind what is held any more. Whether that is so.
    mutating func closeUp(block: gulong) -> Bool {
        guard mode == .feeding else { return false }
        self.block = block
        return true
    }

    /// Whether it is the caller who gives it on.
    mutating func takeFeeding() -> Bool {
        guard feeder == .asked else { return false }
        feeder = .running
        return true
    }

    /// Whether it is the caller who gives one of what is held, and more where somebody comes back meanwhile.
    mutating func takeGiving(round: Int) -> Bool {
        guard mode == .holding, round == self.round, feeder == .none else { return false }
        feeder = .running
        return true
    }

    /// The decoder has nothing that is needed. Whether that is news.
    @discardableResult
    mutating func becomeDue() -> Bool {
        defer { (wasDue, hasGivenMore) = (true, false) }
        return !wasDue
    }

    /// What comes after was ended.
    mutating func forgetDownstream() {
        known.removeAll()
        for item in passed.takeAll().reversed() {
            queue.prepend(item, .key(Self.time(of: item, in: before.segment)), bytes: 0)
        }
        guard isEncoded else { return }
        var before = before
        queue.dropToKey { item, kind in Self.pass(item, kind, &before) }
        self.before = before
        needsKey = !queue.beginsWithKey
        keepEnd()
    }

    /// A raw picture waits for its time. Whether it does: one of before a flush is gone.
    mutating func wait(with picture: HeldObject, isPlain: Bool, _ generation: Int) -> Bool {
        guard generation == self.generation else { return false }
        // Left to somebody who fed and was told to hold once more.
        dropWaiting()
        waiting = HeldObject(retaining: picture.raw)
        self.isPlain = isPlain
        return true
    }

    /// A raw picture has waited for its time, and nobody was shown it. Who has come back meanwhile gives it on: what passed by itself
    /// could be on its way in a moment in which the pad counts as idle.
    mutating func endWait() { if mode != .feeding { dropWaiting() } }

    private mutating func takeWaiting() -> HeldObject? {
        defer { waiting = nil }
        return waiting
    }

    private mutating func takePlain() -> HeldObject? {
        if !isPlain { dropWaiting() }
        return takeWaiting()
    }

    private mutating func dropWaiting() { takeWaiting()?.release() }

    /// Keeps an event in its place. Of the gaps of a sparse stream, which come for hours, the last is enough; so it is of ends, of
    /// which 1.22's decodebin3 now and then brings two.
    /// - Returns: whether it says what the one before did not.
    mutating func keepEvent(_ event: HeldObject) -> Bool {
        if let last = queue.last, event.isGap && last.isGap || event.isEnd && last.isEnd,
            let old = queue.replaceLast(with: event)
        {
            old.release()
            return false
        }
        queue.append(event, .event, bytes: 0)
        return true
    }

    /// An event comes while the stream passes.
    mutating func pass(event: HeldObject) {
        if mh_gst_event_type(event.event) == GST_EVENT_SEGMENT { forgetPassed() }
        noteEnd(event)
    }

    /// A buffer comes while the stream passes. Whether it does, too.
    mutating func pass(_ buffer: HeldObject) -> Bool {
        mayRepeat = false
        if isSparse { passed.add(buffer) }
        guard needsKey else { return true }
        needsKey = buffer.isDelta
        return !needsKey
    }

    /// The same of a list, which goes one way: what is held of it would come after what is not.
    /// - Returns: by index, those that do not pass; nil where the stream does not.
    mutating func pass(list: HeldObject) -> [guint]? {
        guard mode == .passing else { return nil }
        let list = OpaquePointer(list.raw)
        return (0..<gst_buffer_list_length(list)).filter { index in
            gst_buffer_list_get(list, index).map { !pass(HeldObject(adopting: $0)) } ?? false
        }
    }

    /// What follows has other times.
    private mutating func forgetPassed() { passed.removeAll() }

    /// Keeps a buffer, and lets go of what nobody needs with it.
    /// - Returns: whether what came before is of no use any more.
    mutating func keep(_ buffer: HeldObject, now: ClockTime) -> Bool {
        if needsKey {
            if buffer.isDelta { return true }
            needsKey = false
        }
        passed.takeBack(buffer)
        let kind: KeyFrameQueue<HeldObject>.Kind = buffer.isDelta ? .delta : .key(time(of: buffer))
        queue.append(
            HeldObject(retaining: buffer.raw), kind,
            bytes: Int(gst_buffer_get_size(buffer.buffer)) + Self.bytesOfBuffer)
        let isDue = mode == .holding && !keepsAll && advance(to: now).isDue
        guard queue.bytes > Self.mostBytes else { return isDue }
        if mode == .feeding { queue.dropBuffers { $0.release() } } else { dropAll() }
        needsKey = true
        return true
    }

    /// Lets go of what nobody needs by now.
    /// - Returns: whether what follows does not go on from what the decoder has. If it does, nothing is let go of any more.
    mutating func skip(to now: ClockTime) -> Bool {
        guard isEncoded, mode == .holding else { return false }
        if advance(to: now).buffers > 0 { becomeDue() }
        keepsAll = !wasDue
        return wasDue
    }

    /// Lets go of what lies before the newest key frame whose time has come.
    /// - Returns: whether there is one, and how many buffers lay before it.
    private mutating func advance(to now: ClockTime) -> (isDue: Bool, buffers: Int) {
        var (before, buffers) = (before, 0)
        let isDue = queue.advance(to: now) { item, kind in
            if kind != .event { buffers += 1 }
            Self.pass(item, kind, &before)
        }
        self.before = before
        return (isDue, buffers)
    }

    /// The running time of a buffer.
    func time(of buffer: HeldObject) -> ClockTime? { Self.time(of: buffer, in: segment) }

    private static func time(of buffer: HeldObject, in segment: Segment?) -> ClockTime? {
        segment?.runningTime(of: ClockTime(buffer.buffer.pointee.pts) ?? ClockTime(buffer.buffer.pointee.dts))
    }

    mutating func nextStep(now: ClockTime) -> Step {
        guard mode == .feeding else {
            feeder = .none
            return .heldAgain(round: round)
        }
        if block == 0, isEncoded, queue.count <= Self.lastFew || isAhead(of: now) { return .closeUp }
        guard let next = queue.popFirst() ?? takePlain() else {
            (mode, feeder) = (.passing, .none)
            mayRepeat = true
            defer { block = 0 }
            return .allGiven(block: block)
        }
        return .next(give(next))
    }

    /// What comes after has caught up: what is next is not due.
    private func isAhead(of now: ClockTime) -> Bool {
        // It may lie before a segment that is held, too.
        guard let first = queue.first, !first.isEvent, let time = Self.time(of: first, in: before.segment) else {
            return false
        }
        return time > now
    }

    /// What is first, to be given while the rest is held; nil where there is none.
    mutating func nextHeld() -> Next? {
        guard mode == .holding else { return nil }
        guard let next = queue.popFirst() ?? takeWaiting() else { return nil }
        if !next.isEvent { (wasDue, hasGivenMore) = (false, true) }
        return give(next)
    }

    private mutating func give(_ next: HeldObject) -> Next {
        let isSkipped = next.isEvent ? !tell(next) : needsKey && next.isDelta
        if !next.isEvent, !isSkipped {
            needsKey = false
            if isSparse { passed.add(next) }
        }
        return Next(object: next, isSkipped: isSkipped, generation: generation)
    }

    /// Whether what comes after does not know it.
    private mutating func tell(_ event: HeldObject) -> Bool {
        // From here on it is what the stream has said before.
        before.put(HeldObject(retaining: event.raw))
        guard !known.contains(event.event) else { return false }
        if mh_gst_event_type(event.event) == GST_EVENT_SEGMENT { forgetPassed() }
        known.put(HeldObject(retaining: event.raw))
        noteEnd(event)
        return true
    }

    /// At the beginning and the end of a flush. Whether it passes: to what was not ended it does.
    mutating func flush() -> Bool {
        forgetPassed()
        hasPassedEnd = false
        guard mode != .passing else { return true }
        let hasEnded = mode == .holding && known.isEmpty
        generation += 1
        end = .zero
        dropWaiting()
        dropAll()
        before.forgetPosition()
        known.forgetPosition()
        needsKey = false
        return !hasEnded
    }

    /// What comes after has not taken a buffer, nor takes those behind it. What the stream says of itself it hears.
    mutating func refuse(_ generation: Int) {
        guard generation == self.generation else { return }
        queue.dropBuffers { $0.release() }
        needsKey = isEncoded && mode == .holding
    }

    mutating func releaseAll() {
        forgetPassed()
        dropWaiting()
        queue.removeAll { item, _ in item.release() }
        before.removeAll()
        known.removeAll()
    }

    private mutating func dropAll() {
        var before = before
        queue.removeAll { item, kind in Self.pass(item, kind, &before) }
        self.before = before
    }

    private static func pass(
        _ item: HeldObject, _ kind: KeyFrameQueue<HeldObject>.Kind, _ before: inout StickyEvents
    ) {
        if kind == .event { before.put(item) } else { item.release() }
    }
}
