import GStreamerKit

/// Where in an output's time a picture goes. A decision, without a pipeline.
struct PicturePlan {
    var unit: AppSource.Unit
    /// Of the segment that it begins; nil where it goes on with the one before.
    var opening: AppSource.Opening?
    /// What the output plays on, once it has taken the picture.
    var line: PlayerLine?
    /// Running time of the newest picture that is shown, once it has taken this one.
    var newest: Int64

    /// What the pipeline's clock may differ from the viewer's place before it is told anew; nanoseconds.
    private static let tolerance: Int64 = 40_000_000
    /// Who stands is shown so much of the media from the place on, in nanoseconds, and that slowly: ten seconds, so that no sink takes
    /// the picture for late, and little enough that the next one has no part of it.
    private static let glimpse: (length: Int64, rate: Double) = (1000, 1e-7)

    /// - Parameters:
    ///   - running: of the output, now
    ///   - soonest: the running time at which a picture can be shown that nobody throws away
    ///   - known: the line that the output plays on
    ///   - newest: running time of the newest picture that is shown
    init(_ due: PlayerFrame, running: Int64, soonest: Int64, line known: PlayerLine?, newest: Int64) {
        let (frame, step) = (due.frame, due.step)
        let isStanding = due.rate == 0
        let speed = isStanding ? Self.glimpse.rate : due.rate
        let from = isStanding ? step.until : step.shownFrom
        let start =
            if step.isJump { max(frame.pts, from) } else if isStanding { from } else { frame.pts }
        // Who stands waits for nothing but what is shown before.
        let place = isStanding ? max(newest + 1, soonest) : running + ReplayPlayer.ahead
        let base = place + (isStanding ? 0 : Int64(Double(start - due.position) / speed))
        let isOnLine =
            known.map { known in
                guard !step.isJump, known.rate == speed else { return false }
                return isStanding ? known.jumps == due.jumps : abs(known.time(of: start) - base) <= Self.tolerance
            } ?? false
        // Still on the way to the place: shown by nobody, so it has no time to keep.
        let isHidden = !step.isJump && frame.pts < step.shownFrom

        unit = AppSource.Unit(
            pts: ClockTime(nanoseconds: max(0, frame.pts)), dts: nil,
            duration: frame.duration > 0 ? ClockTime(nanoseconds: frame.duration) : nil, isDelta: !frame.isKey)
        unit.isDiscontinuous = step.isJump
        line = known
        if !isOnLine, !isHidden {
            // Who stands sees one picture. What that is made from and is shown later is behind the end of the segment: a sink would
            // wait for its time, and hold up the next place.
            let stop = isStanding ? start &+ Self.glimpse.length : nil
            // What is decoded after this picture and shown before it, as B pictures are, is of the same segment: that begins as early as
            // the line reaches, and not before the place that was jumped to.
            let isAnew = step.isJump || isStanding
            let lead = isAnew ? 0 : max(0, min(start - max(0, step.shownFrom), Int64(Double(base) * speed)))
            opening = AppSource.Opening(
                start: ClockTime(nanoseconds: max(0, start - lead)),
                stop: stop.map { ClockTime(nanoseconds: max(0, $0)) },
                base: ClockTime(nanoseconds: max(0, base - Int64(Double(lead) / speed))), rate: speed)
            line = PlayerLine(start: max(0, start), base: max(0, base), rate: speed, jumps: due.jumps)
        }
        self.newest = newest
        if let line, !isHidden { self.newest = max(newest, isStanding ? line.base : line.time(of: start)) }
    }
}
