/// Where "now" lies on the timeline, and how far behind it somebody watches.
///
/// Buffer time is media time, which the host closes over pauses. So nothing here maps a clock to the timeline: the *live
/// edge* moves through the newest frame of the reference as that frame lasts, and waits at its end for the next one. It is
/// never further from the newest frame than that frame is long, stands still while nothing comes, and needs no correction
/// after a pause, whatever the clock of the capture does against the host's.
///
/// A viewer is bound to the *flow*: the live edge, going on by the clock where frames are late by more than one of their
/// lengths. So who watches with a delay keeps that delay to the nanosecond for as long as frames come; in a stall they
/// play on and the delay shrinks; when the frames are back with the gap on the timeline, the delay is what it was.
///
///     flow    ──────────▶ frames ──▶ late ──────────▶ frames ──────▶ hold ═══════════ first frame ──▶
///     now     ──────────▶ ........... stands ........ jumps the gap ─▶    ═══════════ ──────────────▶
///     delay   constant                shrinks         as before           bit-identical  as before
///
/// A *hold* (the pipeline stops, the host is quiet) freezes edge and viewer at once; the first frame after it lets both go in
/// the same instant, so neither warm-up nor start-up can come between them.
///
/// Pure: times come in as nanoseconds, media time and CLOCK_MONOTONIC. Allocates nothing.
struct LivePosition: Equatable, Sendable {
    enum Viewer: Equatable, Sendable {
        /// Follows the live edge.
        case live
        /// `position` when the flow was at `flow`.
        case playing(position: Int64, flow: Int64, rate: Double)
        /// By its user: only its user lets it go on.
        case paused(position: Int64)
        /// By the host, while playing: goes on with the first frame.
        case held(position: Int64, rate: Double)
    }

    private(set) var viewer = Viewer.live
    /// Counts how often the viewer was moved by its user: what was shown does not lead to what is shown next.
    private(set) var jumps: UInt64 = 0
    /// Of the newest frame, in the order of decoding: all before it can be shown.
    private(set) var end: Int64?
    /// Where what is kept ends, where frames before `end` were taken out again.
    private var kept: Int64?
    private var length: Int64 = 0
    /// When it came.
    private var seen: Int64 = 0
    /// Nothing is expected to come.
    private(set) var isHeld = false
    /// The same, until the next frame: also where somebody plays what is there.
    private(set) var isStopped = false
    /// The host is quiet: no viewer goes on.
    private var isQuiet = false
    /// When the host asked for quiet.
    private var asked: Int64?
    /// How far the viewer went on by the clock over frames that then came late, without a gap on the timeline. Where they come
    /// in a burst, that much of it is no news to the viewer.
    private var ahead: Int64 = 0

    /// A hold that comes this soon after the last frame ended belongs to that end.
    private static let stopping: Int64 = 250_000_000

    /// The live edge; nil before the first frame.
    func now(at time: Int64) -> Int64? {
        end.map { isHeld ? $0 : $0 - length + min(max(time - seen, 0), length) }
    }

    /// Where the viewer is; not before `oldest`.
    func position(at time: Int64, oldest: Int64 = .min) -> Int64? {
        guard let now = now(at: time) else { return nil }
        switch viewer {
        case .live: return now
        case .paused(let position), .held(let position, _): return min(now, max(oldest, position))
        case .playing(let position, let flow, let rate):
            return min(now, max(oldest, position + Self.moved(now + late(at: time) - flow, rate)))
        }
    }

    /// How far the viewer is behind the live edge.
    func delay(at time: Int64, oldest: Int64 = .min) -> Int64? {
        guard let now = now(at: time), let position = position(at: time, oldest: oldest) else { return nil }
        return now - position
    }

    /// Between the two clocks: now = CLOCK_MONOTONIC + offset. Says something while frames come.
    func offset(at time: Int64) -> Int64? { now(at: time).map { $0 - time } }

    /// How long frames have been missing, beyond the length of one.
    private func late(at time: Int64) -> Int64 { isHeld ? 0 : max(0, time - seen - 2 * length) }

    // MARK: Frames

    /// A frame of the reference came, in the order of decoding.
    /// - Parameters:
    ///   - end: media time of its decoding and its length: whatever is shown before that is there.
    ///   - oldest: nothing before it is kept.
    /// - Returns: what lies between the frame before and this one, where that is no mere unsteadiness.
    /// - Thread: stream.
    mutating func frame(
        end newest: Int64, length newestLength: Int64, at time: Int64, oldest: Int64 = .min
    ) -> (from: Int64, to: Int64)? {
        let before = position(at: time, oldest: oldest)
        let flow = now(at: time).map { $0 + late(at: time) }
        let known = end
        (isHeld, isStopped) = (false, false)
        if let known, newest <= known {
            // Reordering over a start, or a stream that steps back: the edge waits until it is passed.
            seen = max(seen, time - length)
        } else {
            (end, length, seen) = (newest, max(0, newestLength), time)
        }
        follow(before, flow, at: time, oldest)
        defer { kept = nil }
        guard let known = kept ?? known, newest - newestLength - known > Self.leastGap else { return nil }
        return (known, newest - newestLength)
    }

    /// Frames that had come are not kept: what is ends at `end`. The edge does not go back.
    /// - Thread: stream.
    mutating func lost(after end: Int64) { kept = min(kept ?? end, end) }

    static let leastGap: Int64 = 100_000_000

    /// A viewer that was held goes on; one that went on by the clock, over what turned out to be no gap, stays where it is,
    /// also while the frames that were late come faster than they last: then its delay is what it was.
    private mutating func follow(_ before: Int64?, _ flow: Int64?, at time: Int64, _ oldest: Int64) {
        guard let before, let after = now(at: time) else { return }
        switch viewer {
        case .held(let position, let rate):
            if !isQuiet { viewer = .playing(position: max(oldest, position), flow: after, rate: rate) }
        case .playing(let position, let start, let rate):
            if let flow, flow - after > length {
                viewer = .playing(position: before, flow: after, rate: rate)
                ahead += flow - after
            } else if let flow, ahead > 0, after > flow {
                let known = min(ahead, after - flow)
                ahead -= known
                viewer = .playing(position: position, flow: start + known, rate: rate)
            } else if position + Self.moved(after - start, rate) < oldest {
                // Its place was evicted: it goes on from what is left.
                viewer = .playing(position: oldest, flow: after, rate: rate)
            }
        case .live, .paused: break
        }
    }

    private static func moved(_ passed: Int64, _ rate: Double) -> Int64 {
        rate == 1 ? passed : Int64(max(-9e18, min(9e18, Double(passed) * rate)))
    }

    /// A former process left frames up to there; nothing has come yet in this one.
    mutating func restore(end: Int64, length: Int64) {
        (self.end, self.length, seen) = (end, max(0, length), 0)
        (isHeld, isStopped) = (true, true)
    }

    // MARK: The host

    /// The host asks for quiet; frames still come.
    mutating func willPause(at time: Int64) { asked = asked ?? time }

    /// The reference ended or was stopped.
    mutating func hold(at time: Int64, oldest: Int64 = .min) {
        guard !isHeld, end != nil else { return }
        // What was between the end of the last frame and the news of the stop is no time that passed for a viewer.
        let ended = seen + length
        let moment = max(asked ?? (time - ended <= Self.stopping ? ended : time), ended)
        let place = position(at: moment, oldest: oldest)
        (isHeld, isStopped) = (true, true)
        guard case .playing(_, _, let rate) = viewer, let place, let end else { return }
        viewer = .playing(position: place, flow: end, rate: rate)
    }

    /// The host is quiet.
    mutating func didPause(at time: Int64, oldest: Int64 = .min) {
        hold(at: time, oldest: oldest)
        isQuiet = true
        if case .playing(let position, _, let rate) = viewer { viewer = .held(position: position, rate: rate) }
    }

    /// It is about to go on: the first frame that comes lets a viewer go that was held.
    mutating func willResume() {
        isQuiet = false
        asked = nil
    }

    // MARK: The viewer

    /// Plays on from where it is, or from `position`. Where nothing comes, because its source was stopped, it plays what is
    /// there.
    mutating func play(from position: Int64? = nil, rate: Double = 1, at time: Int64, oldest: Int64 = .min) {
        guard let now = now(at: time),
            let place = position.map({ min(now, max(oldest, $0)) }) ?? self.position(at: time, oldest: oldest)
        else { return }
        jumps += 1
        if isQuiet {
            viewer = .held(position: place, rate: rate)
            return
        }
        if isHeld {
            isHeld = false
            seen = time - 2 * length
        }
        viewer = .playing(position: place, flow: now + late(at: time), rate: rate)
    }

    mutating func pause(at time: Int64, oldest: Int64 = .min) {
        guard let place = position(at: time, oldest: oldest) else { return }
        jumps += 1
        viewer = .paused(position: place)
    }

    /// Plays on from there if it played, stays if it did not.
    mutating func seek(to position: Int64, at time: Int64, oldest: Int64 = .min) {
        guard let now = now(at: time) else { return }
        jumps += 1
        let place = min(now, max(oldest, position))
        let rate: Double
        switch viewer {
        case .live: rate = 1
        case .playing(_, _, let known), .held(_, let known): rate = known
        case .paused:
            viewer = .paused(position: place)
            return
        }
        viewer =
            isQuiet
            ? .held(position: place, rate: rate) : .playing(position: place, flow: now + late(at: time), rate: rate)
    }

    /// Stands there.
    mutating func stand(at position: Int64, at time: Int64, oldest: Int64 = .min) {
        guard let now = now(at: time) else { return }
        jumps += 1
        viewer = .paused(position: min(now, max(oldest, position)))
    }

    mutating func goLive() {
        jumps += 1
        viewer = .live
    }
}
