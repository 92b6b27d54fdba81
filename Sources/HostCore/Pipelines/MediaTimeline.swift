public import GStreamerKit

/// Media time of one pipeline: one line for all its streams that never jumps.
///
/// `media time = running time + offset`, with one offset for the whole pipeline. Running time begins anew with every
/// start; each start is an *epoch*. The first buffer of the reference kind (video where there is any, else audio) fixes the
/// offset so that it follows the last buffer of that kind without a gap:
///
///     offset = (largest end over all streams of that kind so far) - (its running time)
///
/// so video steps exactly one frame over a pause, and the other streams keep their true phase to it. What another stream
/// brings from before its own end, or from before the reference's first buffer, is dropped: time never goes back.
/// A gap while an epoch lasts is real and stays one. See docs/decisions/0002-media-time.md.
///
/// A pure value: the caller holds the lock. Nothing here allocates after the streams are known.
public struct MediaTimeline: Sendable {
    /// What a stream carries, as far as time is concerned.
    public enum Kind: Sendable, Equatable {
        case video, audio, other
    }

    /// Where a buffer belongs.
    public enum Placement: Sendable, Equatable {
        /// Media time of its presentation is its running time plus this.
        case at(offset: ClockTime)
        /// It has no place: before the reference's first buffer, or before what the stream already has.
        case drop
    }

    /// How long streams wait for a reference that may never come, in running time.
    static let patience = ClockTime.seconds(1)

    private var streams: [Stream] = []
    /// Largest ends of the streams that are gone: the line goes on behind them, too.
    private var pastEnds: [Kind: ClockTime] = [:]
    /// The number of the epoch, from 1; 0 before the first start.
    public private(set) var epoch: UInt32 = 0
    /// Nil until the reference's first buffer of this epoch.
    public private(set) var offset: ClockTime?
    private var referenceStart: ClockTime?
    /// Where "now" is; moved by the reference.
    public private(set) var edge = LiveEdge()
    /// The stream that fixed the offset; nil where it is gone.
    private var reference: Int?
    /// A pause has ended: what the reference brings next fixes the offset anew, in the same epoch.
    private var pause: Pause?
    /// The offsets of before the last pauses, oldest first: an encoder may give out what was captured then.
    private var pasts: [Past] = []

    private struct Past: Sendable {
        /// What is of before this running time was placed by the offset, and still is.
        var until: ClockTime
        var offset: ClockTime
        /// The stream that brought the first buffer of after it.
        var mover: Int
    }

    /// So many pauses may come before a frame is through its encoder.
    private static let mostPasts = 8

    private struct Pause: Sendable {
        /// Running time when it began; where nobody knows, of the first buffer after it.
        var begin: ClockTime?
        /// Its streams begin anew, each at a time of its own: the others wait for the reference.
        var isLive: Bool
        /// They have waited for long enough.
        var isOver = false
    }

    /// What misses less than that at a pause was on its way then: a camera, its driver and the transfer take some frames.
    private static let onItsWay = ClockTime.milliseconds(500)

    static let least = ClockTime(nanoseconds: 1)
    /// Pictures further apart than this are no film.
    static let longestGuess = ClockTime.seconds(5)

    /// Timestamps of a camera vary by that much without anything missing.
    static let jitter = ClockTime.milliseconds(1)

    public init() { pasts.reserveCapacity(Self.mostPasts) }

    /// A further stream; its number is the result.
    public mutating func addStream() -> Int {
        if let free = streams.firstIndex(where: \.isGone) {
            streams[free] = Stream()
            return free
        }
        streams.append(Stream())
        return streams.count - 1
    }

    /// Nobody listens to it any more, so nobody waits for it: what comes next of the best kind is the reference.
    public mutating func removeStream(_ stream: Int) {
        guard streams.indices.contains(stream) else { return }
        if let kind = streams[stream].kind {
            pastEnds[kind] = Self.later(pastEnds[kind], streams[stream].end.map { $0 + streams[stream].untold })
        }
        streams[stream] = Stream(isGone: true)
        if reference == stream { reference = nil }
    }

    /// What the stream's caps say.
    public mutating func setKind(_ kind: Kind, of stream: Int) {
        guard streams.indices.contains(stream) else { return }
        streams[stream].kind = kind
    }

    /// Whether its listener is in a call that belongs to an earlier epoch, and hears nothing until it comes back.
    public mutating func setMissed(_ missed: Bool, _ stream: Int) {
        guard streams.indices.contains(stream) else { return }
        streams[stream].isMissed = missed
    }

    /// The pipeline was built anew: running time begins at 0 again.
    public mutating func beginEpoch() {
        epoch += 1
        offset = nil
        referenceStart = nil
        pause = nil
        pasts.removeAll(keepingCapacity: true)
        for index in streams.indices {
            streams[index].floor = streams[index].end.map { $0 + streams[index].untold }
            streams[index].pauseFloor = nil
            streams[index].firstSeen = nil
            streams[index].last = nil
            streams[index].isReordered = false
        }
    }

    /// The pipeline went from PAUSED to PLAYING. Running time stood still, but the first buffer may come after any part of
    /// a frame (0.9 ms was measured): it is moved to exactly one frame, in decoding order, because with B-frames that
    /// buffer is not the next to be shown.
    /// - Parameters:
    ///   - begin: the running time at which it stood; what is of before it may still be on its way to the tap.
    ///   - isLive: the other streams wait for the reference then, as at a start. A file goes on where it was: nothing of it is missing,
    ///     and nothing is moved.
    public mutating func endPause(at begin: ClockTime? = nil, isLive: Bool = true) {
        pause = offset == nil ? nil : Pause(begin: begin, isLive: isLive)
        for index in streams.indices { streams[index].isStill = true }
    }

    /// The place of the next buffer of a stream, in decoding order.
    /// - Parameters:
    ///   - decodeTime: the running time of its DTS; nil where it has none.
    ///   - now: when it came, for the live edge; nil: that is left as it is.
    public mutating func place(
        _ stream: Int, runningTime: ClockTime?, decodeTime: ClockTime? = nil, duration: ClockTime?,
        now: ClockTime? = nil
    ) -> Placement {
        guard streams.indices.contains(stream) else { return .drop }
        guard let runningTime else { return offset.map { .at(offset: $0) } ?? .drop }
        if let duration, duration > .zero { streams[stream].lastDuration = duration }
        let past = past(at: runningTime)
        if pause == nil { streams[stream].noteOrder(runningTime, decodeTime) }
        let time = streams[stream].time(runningTime, decodeTime)
        if offset == nil {
            guard isReference(stream, at: runningTime) else { return .drop }
            fixOffset(stream, runningTime)
        } else if pause != nil, past == nil {
            guard follow(stream, runningTime, time) else { return .drop }
        }
        guard let offset = past?.offset ?? offset else { return .drop }
        streams[stream].step(to: time, at: offset)
        let length = duration.map { max($0, Self.least) } ?? streams[stream].lastDuration ?? .zero
        streams[stream].last = (runningTime, decodeTime ?? runningTime, offset, length)
        let begin = runningTime + offset
        if let floor = streams[stream].floor, begin < floor { return .drop }
        if let past {
            if past.mover != stream { raisePauseFloor(of: stream) }
        } else if let floor = streams[stream].pauseFloor, begin < floor {
            return .drop
        }
        if let referenceStart, begin < referenceStart { return .drop }
        let end = begin + length
        if let now, leads(stream) {
            let untold = streams[stream].untold
            edge.advance(to: end + untold, length: length + untold, now: now)
        }
        if let known = streams[stream].end, known >= end { return .at(offset: offset) }
        streams[stream].end = end
        return .at(offset: offset)
    }

    /// Whether the live edge follows this stream. Where the reference is gone, or was audio while the pictures were away, a better
    /// one takes its place.
    private mutating func leads(_ stream: Int) -> Bool {
        if stream == reference { return true }
        guard let reference else {
            guard isBest(stream) else { return false }
            self.reference = stream
            return true
        }
        guard Self.rank(streams[stream].kind) > Self.rank(streams[reference].kind) else { return false }
        self.reference = stream
        return true
    }

    /// The offset by which what was captured then was placed; nil where that is the present one.
    private func past(at runningTime: ClockTime) -> Past? {
        guard let newest = pasts.last, runningTime < newest.until else { return nil }
        return pasts.first { runningTime < $0.until }
    }

    /// After a pause: whether the buffer has a place. The reference's first one moves the offset.
    private mutating func follow(_ stream: Int, _ runningTime: ClockTime, _ time: ClockTime) -> Bool {
        guard let pause, let before = offset else { return true }
        let end = streams[stream].lastEnd.map { $0 + streams[stream].untold }
        guard pause.isLive else {
            // A source that was interrupted may say the same once more.
            let isStill = streams[stream].isStill && streams[stream].kind == .audio
            if isStill, let told = streams[stream].told, time + before < told { return false }
            streams[stream].isStill = false
            if isBest(stream) { self.pause = nil }
            return true
        }
        let isReordered = streams[stream].isReordered
        let isBefore = pause.begin.map { runningTime <= $0 } ?? false
        // Others had it before it was paused, or no distance tells when it was captured.
        if isBefore, isReordered || isKnown(runningTime, besides: stream) { return true }
        let longest = (streams[stream].lastDuration ?? .zero) + Self.onItsWay
        if isBefore, let end {
            // It was passing when it was paused; what is missing before it was missing then.
            let gap = time + before - end
            if gap.nanoseconds.magnitude <= Self.jitter.nanoseconds.magnitude || gap > longest { return true }
        }
        if isBest(stream), end != nil || !hasElder(stream) {
            if !isBefore { self.pause = nil }
            guard let end else { return true }
            // Nothing came for long before it was paused, or for so long after it that the others went on: a gap while it played,
            // which stays one. When it was paused is no time of decoding.
            let stood = isReordered ? nil : pause.begin
            let gap = isBefore ? .zero : pause.isOver ? time + before - end : stood.map { $0 + before - end } ?? .zero
            offset = (gap > longest ? end + gap : end) - time
            if let begin = pause.begin {
                if pasts.count == Self.mostPasts { pasts.removeFirst() }
                pasts.append(Past(until: min(begin, runningTime), offset: before, mover: stream))
            }
            // The others keep their phase to it; what would begin before the end of their last buffer is dropped.
            for index in streams.indices where index != stream { raisePauseFloor(of: index) }
            return true
        }
        // A source that was interrupted may say the same once more.
        if !isReordered, let end, time + before < end - Self.jitter { return false }
        guard !pause.isOver else { return true }
        let begin = pause.begin ?? time
        self.pause?.begin = begin
        self.pause?.isOver = time - begin >= Self.patience
        return self.pause?.isOver == true
    }

    /// What comes next may not lie before the end of what was placed by an offset of before. A second move within one pause must not let
    /// in what the first has kept out.
    private mutating func raisePauseFloor(of stream: Int) {
        let end = streams[stream].lastEnd.map { $0 + streams[stream].untold - Self.jitter }
        streams[stream].pauseFloor = Self.later(streams[stream].pauseFloor, end)
    }

    /// Whether another stream of the same kind has had what is of that time: the same camera, in front of an encoder.
    private func isKnown(_ runningTime: ClockTime, besides stream: Int) -> Bool {
        streams.indices.contains { index in
            guard index != stream, streams[index].kind == streams[stream].kind, let last = streams[index].last else {
                return false
            }
            return last.shown >= runningTime
        }
    }

    /// Whether no better kind has come in this epoch: video, else audio.
    private func isBest(_ stream: Int) -> Bool {
        let rank = Self.rank(streams[stream].kind)
        return !streams.contains { $0.last != nil && Self.rank($0.kind) > rank }
    }

    /// Whether another of its kind has come in this epoch, and will again: the line goes on behind that one.
    private func hasElder(_ stream: Int) -> Bool {
        streams.contains { $0.last != nil && !$0.isMissed && $0.kind == streams[stream].kind }
    }

    private static func rank(_ kind: Kind?) -> Int {
        switch kind {
        case .video: 2
        case .audio: 1
        case .other, nil: 0
        }
    }

    private static func latest(_ times: some Sequence<ClockTime?>) -> ClockTime? { times.reduce(nil, later) }

    private static func later(_ one: ClockTime?, _ other: ClockTime?) -> ClockTime? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }

    private mutating func fixOffset(_ stream: Int, _ runningTime: ClockTime) {
        let kind = streams[stream].kind
        let ends = Self.latest(streams.lazy.map { $0.kind == kind ? $0.end : nil })
        let same = Self.later(ends, streams[stream].end.map { $0 + streams[stream].untold })
        // Nothing of this kind so far: behind all there is, or the beginning of the line.
        let end =
            Self.later(same, kind.flatMap { pastEnds[$0] })
            ?? Self.later(Self.latest(streams.lazy.map(\.end)), pastEnds.values.max())
        let begin = end ?? .zero
        reference = stream
        offset = begin - runningTime
        referenceStart = begin
        pause = nil
    }

    /// Video is the reference where there is any. A stream that could still turn out to be video is waited for, but not
    /// for ever.
    private mutating func isReference(_ stream: Int, at runningTime: ClockTime) -> Bool {
        if streams[stream].kind == .video { return true }
        let first = streams[stream].firstSeen ?? runningTime
        streams[stream].firstSeen = first
        if runningTime - first >= Self.patience { return true }
        for (index, other) in streams.enumerated() where index != stream && !other.isGone && !other.isMissed {
            switch (other.kind, streams[stream].kind) {
            case (.video, _), (nil, _): return false
            case (.audio, .audio): continue
            case (.audio, _): return false
            case (.other, _): continue
            }
        }
        return true
    }
}
