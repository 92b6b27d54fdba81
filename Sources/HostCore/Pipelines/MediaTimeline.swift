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

    private struct Stream: Sendable {
        var kind: Kind?
        /// Largest end so far, in media time.
        var end: ClockTime?
        /// `end` when this epoch began: buffers of this epoch never lie before it.
        var floor: ClockTime?
        /// Running time of the first buffer of this epoch, while the offset is not known.
        var firstSeen: ClockTime?
        /// Where the last buffer ended in decoding order, in media time.
        var decodeEnd: ClockTime?
        /// Length of the last buffer that told one; stands in for one that does not.
        var lastDuration: ClockTime?
    }

    /// How long streams wait for a reference that may never come, in running time.
    static let patience = ClockTime.seconds(1)

    private var streams: [Stream] = []
    /// The number of the epoch, from 1; 0 before the first start.
    public private(set) var epoch: UInt32 = 0
    /// Nil until the reference's first buffer of this epoch.
    public private(set) var offset: ClockTime?
    private var referenceStart: ClockTime?
    /// Where "now" is; moved by the stream that fixed the offset.
    public private(set) var edge = LiveEdge()
    private var reference: Int?
    /// A pause has ended: what the reference brings next fixes the offset anew, in the same epoch.
    private var pause: Pause?

    private struct Pause: Sendable {
        /// Running time when it began; nil where nobody knows.
        var begin: ClockTime?
    }

    /// Timestamps of a camera vary by that much without anything missing.
    private static let jitter = ClockTime.milliseconds(1)

    public init() {}

    /// A further stream; its number is the result.
    public mutating func addStream() -> Int {
        streams.append(Stream())
        return streams.count - 1
    }

    /// What the stream's caps say.
    public mutating func setKind(_ kind: Kind, of stream: Int) {
        guard streams.indices.contains(stream) else { return }
        streams[stream].kind = kind
    }

    /// The pipeline was built anew: running time begins at 0 again.
    public mutating func beginEpoch() {
        epoch += 1
        offset = nil
        referenceStart = nil
        pause = nil
        for index in streams.indices {
            streams[index].floor = streams[index].end
            streams[index].firstSeen = nil
            streams[index].decodeEnd = nil
        }
    }

    /// The pipeline went from PAUSED to PLAYING. Running time stood still, but the first buffer may come after any part of
    /// a frame (0.9 ms was measured): it is moved to exactly one frame, in decoding order, because with B-frames that
    /// buffer is not the next to be shown.
    /// - Parameter begin: the running time at which it stood; what is of before it may still be on its way to the tap.
    public mutating func endPause(at begin: ClockTime? = nil) { pause = offset == nil ? nil : Pause(begin: begin) }

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
        if offset == nil {
            guard isReference(stream, at: runningTime) else { return .drop }
            fixOffset(stream, runningTime)
        } else if let pause, isReference(stream, at: runningTime) {
            closePause(pause, stream, runningTime, decodeTime)
        }
        guard let offset else { return .drop }
        streams[stream].decodeEnd =
            (decodeTime ?? runningTime) + offset + (duration ?? streams[stream].lastDuration ?? .zero)
        let begin = runningTime + offset
        if let floor = streams[stream].floor, begin < floor { return .drop }
        if let referenceStart, begin < referenceStart { return .drop }
        let length = duration ?? streams[stream].lastDuration ?? .zero
        let end = begin + length
        if let now, stream == reference { edge.advance(to: end, length: length, now: now) }
        if let known = streams[stream].end, known >= end { return .at(offset: offset) }
        streams[stream].end = end
        return .at(offset: offset)
    }

    private mutating func closePause(
        _ pause: Pause, _ stream: Int, _ runningTime: ClockTime, _ decodeTime: ClockTime?
    ) {
        let time = decodeTime ?? runningTime
        // With B-frames the times of decoding do not say on which side of the pause a buffer is.
        let isInOrder = time == runningTime
        let isBefore = isInOrder && pause.begin.map { time <= $0 } ?? false
        if !isBefore { self.pause = nil }
        guard let end = streams[stream].decodeEnd, let before = offset else { return }
        if isBefore, abs((end - before - time).nanoseconds) <= Self.jitter.nanoseconds { return }
        offset = end - time
        // The others keep their phase to it; what would not come after their last buffer is dropped.
        for index in streams.indices where index != stream {
            guard let end = streams[index].decodeEnd, streams[index].kind != streams[stream].kind else { continue }
            streams[index].floor = end - (streams[index].lastDuration ?? .zero) + ClockTime(nanoseconds: 1)
        }
    }

    private mutating func fixOffset(_ stream: Int, _ runningTime: ClockTime) {
        let kind = streams[stream].kind
        var end: ClockTime?
        for other in streams where other.kind == kind {
            guard let known = other.end else { continue }
            end = end.map { max($0, known) } ?? known
        }
        // Nothing of this kind so far: behind all there is, or the beginning of the line.
        if end == nil { end = streams.compactMap(\.end).max() }
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
        for (index, other) in streams.enumerated() where index != stream {
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
