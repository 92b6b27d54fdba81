/// What of a pinned range goes into the file, found by one look at its index.
///
/// A clip begins at a key frame. It ends with the last picture that is shown before its end; where pictures are
/// reordered, those that one needs are in the file, too. Sound begins with the first frame that starts with or after the
/// key frame, so the tracks are aligned to the nanosecond, at the cost of less than one frame of it. What an exact clip does
/// not show of both is hidden by an edit list.
struct ClipPlan: Sendable {
    /// What is done where the timeline has gaps, and where the host was paused.
    enum Gaps: String, CaseIterable, Sendable {
        /// As on the timeline: a stall is as long as it was, a pause is not there.
        case keep
        /// Neither is there.
        case close
        /// Both are as long as they were, by the clock on the wall.
        case restore
    }

    struct Track: Equatable, Sendable {
        /// The ring's own number of the caps; frames of other caps are left out.
        var format: UInt16
        var frames = 0
        var first: UInt64
        /// Nothing that goes into the file comes after this one.
        var last: UInt64 = 0
        /// Where the last frame of it ends, in media time.
        var end = Int64.min
    }

    /// By the number of the track; nil where it has nothing in the clip.
    private(set) var tracks: [Track?]
    /// After the last frame of the reference that is needed.
    private(set) var end: UInt64
    private(set) var map: ClipTimeMap
    /// The first picture that is to be shown, and where the last one ends, in media time; nil where there is none.
    private(set) var shownStart: Int64?
    private(set) var shownEnd: Int64
    /// Pictures from the one to the other.
    private(set) var shownFrames = 0
    /// Sound of other caps than that at the beginning.
    private(set) var leftOut = 0

    private let clip: ClipRange
    private let gaps: Gaps
    private let isExact: Bool
    private var sequence: UInt64
    private var finder = GapFinder()
    private var epoch: UInt32?
    /// Those within an epoch that are still to come, in their order.
    private var pauses: ArraySlice<Pause>

    /// - Parameter pauses: within epochs, in their order.
    init(_ clip: ClipRange, tracks: Int, gaps: Gaps, exact: Bool = false, pauses: [Pause] = []) {
        self.clip = clip
        self.pauses = pauses.drop { $0.at <= clip.start }
        isExact = exact
        self.gaps = gaps
        self.tracks = Array(repeating: nil, count: tracks)
        sequence = clip.first
        end = clip.key
        shownEnd = clip.start
        map = ClipTimeMap(start: clip.start)
    }

    /// The next frame of the range. All are shown once, in their order.
    /// - Parameter pause: how long the host was quiet before an epoch began, in nanoseconds.
    mutating func look(at frame: Frame, pause: (UInt32) -> Int64) {
        defer { sequence += 1 }
        guard takes(frame, sequence) else { return }
        let track = Int(frame.track)
        if tracks[track] == nil { tracks[track] = Track(format: frame.format, first: sequence) }
        guard tracks[track]?.format == frame.format else {
            leftOut += 1
            return
        }
        tracks[track]?.frames += 1
        tracks[track]?.last = sequence
        let ends = tracks[track]?.end ?? .min
        tracks[track]?.end = max(ends, frame.pts &+ max(1, frame.duration))
        if frame.track == 0 {
            guard frame.pts < clip.finish else { return }
            findGap(frame, pause)
            end = sequence + 1
            shownEnd = max(shownEnd, frame.duration > 0 ? frame.pts &+ frame.duration : clip.finish)
            if frame.pts >= (isExact ? clip.wanted : clip.start) {
                shownStart = min(shownStart ?? .max, frame.pts)
                shownFrames += 1
            }
        }
    }

    /// All were looked at.
    mutating func finish() {
        for gap in finder.finish() { map.close(from: gap.from, to: gap.to) }
        // Of a track that is over before the first picture, nothing can be shown.
        guard isExact, let shownStart else { return }
        for track in tracks.indices.dropFirst() {
            if let end = tracks[track]?.end, end <= shownStart { tracks[track] = nil }
        }
    }

    /// Whether the frame at `sequence` goes into the file; after `finish`.
    func includes(_ frame: Frame, _ sequence: UInt64) -> Bool {
        guard takes(frame, sequence), tracks[Int(frame.track)]?.format == frame.format, !map.isInside(frame.pts) else {
            return false
        }
        // Sound from before the first picture that is shown is hidden with those pictures: a track that is much shorter than
        // the film is taken for a preview by some demuxers.
        return frame.track != 0 || sequence < end
    }

    /// Whether nothing of this track follows the frame at `sequence`, which is one of it.
    func isLast(_ sequence: UInt64, of track: UInt8) -> Bool {
        Int(track) < tracks.count && tracks[Int(track)]?.last == sequence
    }

    private func takes(_ frame: Frame, _ sequence: UInt64) -> Bool {
        guard Int(frame.track) < tracks.count else { return false }
        if frame.track == 0 {
            // Pictures shown before the first key frame need the GOP before it, which is not in the clip.
            return sequence >= clip.key && frame.pts >= clip.start
        }
        return frame.pts >= clip.start && frame.pts < clip.finish
    }

    private mutating func findGap(_ frame: Frame, _ pause: (UInt32) -> Int64) {
        defer { epoch = frame.epoch }
        switch gaps {
        case .keep: break
        case .close:
            if let gap = finder.add(start: frame.pts, duration: frame.duration) {
                map.close(from: gap.from, to: gap.to)
            }
        case .restore:
            while let pause = pauses.first, pause.at <= frame.pts {
                map.open(at: pause.at, decoding: pause.decoding, pause.length)
                pauses.removeFirst()
            }
            guard let epoch, epoch != frame.epoch else { return }
            let length = pause(frame.epoch)
            if length > 0 { map.open(at: frame.pts, decoding: frame.dts == Frame.none ? frame.pts : frame.dts, length) }
        }
    }
}
