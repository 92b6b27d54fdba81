internal import GStreamerKit

extension MediaTimeline {
    /// One listener of the pipeline.
    struct Stream: Sendable {
        var kind: Kind?
        /// Nobody listens any more; the next stream takes the place.
        var isGone = false
        /// It will not come before its listener is back from a call: nobody waits for it.
        var isMissed = false
        /// Largest end so far, in media time.
        var end: ClockTime?
        /// `end` when this epoch began: buffers of this epoch never lie before it.
        var floor: ClockTime?
        /// Running time of the first buffer of this epoch, while the offset is not known.
        var firstSeen: ClockTime?
        /// What was placed by the offset of before a pause ends here: nothing of after it begins earlier.
        var pauseFloor: ClockTime?
        /// The last buffer of this epoch: when it is shown and decoded, in running time, and where that was placed.
        var last: (shown: ClockTime, decoded: ClockTime, offset: ClockTime, length: ClockTime)?
        /// It is decoded in another order than it is shown in, and only the times of decoding say how far it is from one to the next.
        /// Elsewhere those of presentation do: what a network camera gives for the others is when a packet arrived.
        var isReordered = false
        /// Nothing new has come since a pause.
        var isStill = false
        /// Length of the last buffer that told one; stands in for one that does not.
        var lastDuration: ClockTime?
        /// The last two distances from one to the next.
        var steps: (ClockTime, ClockTime)?

        private var lastTime: ClockTime? { last.map { isReordered ? $0.decoded : $0.shown } }

        /// Where the last buffer ended, in media time.
        var lastEnd: ClockTime? {
            guard let last, let lastTime else { return nil }
            return lastTime + last.offset + last.length
        }

        /// What begins before this, in media time, was said already; where none tells its length, that is its begin alone.
        var told: ClockTime? {
            guard let last, let lastTime else { return nil }
            let length = lastDuration.map { _ in last.length - MediaTimeline.jitter } ?? MediaTimeline.jitter
            return lastTime + last.offset + length
        }

        /// What comes next of its kind lies so far behind its last end. Where none tells its length, as from many network cameras, a
        /// picture lasts until the next; one distance alone may be a gap. It counts for nobody else: it is a guess.
        var untold: ClockTime {
            if lastDuration != nil { return .zero }
            guard kind == .video || kind == .audio, let steps else { return MediaTimeline.least }
            let length = min(steps.0, steps.1)
            return length <= MediaTimeline.longestGuess ? length : MediaTimeline.least
        }

        /// What counts for the distance from one to the next.
        func time(_ shown: ClockTime, _ decoded: ClockTime?) -> ClockTime { isReordered ? decoded ?? shown : shown }

        mutating func noteOrder(_ shown: ClockTime, _ decoded: ClockTime?) {
            guard let last, let decoded, shown < last.shown - MediaTimeline.jitter, decoded > last.decoded else {
                return
            }
            isReordered = true
        }

        /// A buffer comes. Before the first one of an epoch there was none, and no part of a pause is a length.
        mutating func step(to time: ClockTime, at offset: ClockTime) {
            guard let lastTime, time > lastTime, last?.offset == offset else { return }
            steps = (time - lastTime, steps?.0 ?? (time - lastTime))
        }
    }
}
