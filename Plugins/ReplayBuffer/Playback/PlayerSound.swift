import GStreamerKit

/// The sound beside the pictures of a player: an output of its own, on the same line of running time.
struct PlayerSound {
    let source: AppSource
    private var cursor = SoundCursor()
    private var format: UInt16?
    private var caps: Caps?
    private var bytes: [UInt8] = []
    /// The line that the output was told.
    private var line: PlayerLine?

    init(source: AppSource) { self.source = source }

    /// Sends what is due, on the line of the pictures; nothing where they have none that is of the same jump.
    /// - Thread: worker.
    mutating func pump(_ store: ReplayStore, at now: Int64, along pictures: PlayerLine?, most: UInt64, burst: Int) {
        guard let pictures, pictures.rate == 1 else { return }
        for _ in 0..<burst {
            guard source.queuedBytes < most,
                let due = store.nextSound(&cursor, at: now, ahead: ReplayPlayer.ahead, into: &bytes),
                due.jumps == pictures.jumps, send(due.frame, due.isJump, pictures, store)
            else { return }
            cursor.sent(to: due.sequence + 1)
        }
    }

    private mutating func send(
        _ frame: Frame, _ isJump: Bool, _ pictures: PlayerLine, _ store: ReplayStore
    ) -> Bool {
        if frame.format != format || caps == nil {
            (format, caps) = (frame.format, Caps(store.caps(frame.format)))
            if let caps { source.setCaps(caps) }
        }
        guard let caps else { return true }
        var unit = AppSource.Unit(
            pts: ClockTime(nanoseconds: max(0, frame.pts)), dts: nil,
            duration: frame.duration > 0 ? ClockTime(nanoseconds: frame.duration) : nil, isDelta: false)
        unit.isDiscontinuous = isJump
        let isKnown = line == pictures && !isJump
        line = pictures
        // After a jump nothing is heard from before the picture.
        let start = isJump ? pictures.start : max(frame.pts, pictures.start - pictures.base)
        let opening = AppSource.Opening(
            start: ClockTime(nanoseconds: max(0, start)),
            base: ClockTime(nanoseconds: max(0, pictures.base + start - pictures.start)), rate: 1)
        return bytes.span.withUnsafeBytes { bytes in
            isKnown ? source.push(bytes, unit) : source.push(bytes, unit, opening: opening, caps: caps)
        }
    }
}

/// Media time `start` is shown at running time `base`; nanoseconds, not negative.
struct PlayerLine: Equatable, Sendable {
    var start: Int64
    var base: Int64
    var rate: Double
    /// Of the viewer, see `LivePosition`.
    var jumps: UInt64

    /// The running time at which this media time is shown.
    func time(of place: Int64) -> Int64 { base + Int64(Double(place - start) / rate) }
}
