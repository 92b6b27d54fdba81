internal import CGStreamer
import Locking
import Synchronization

/// What happens to pictures after they were put back: the first ones are over by the time they are decoded.
///
/// Both probes end by themselves where all goes well; a new `show` and the end cancel them.
enum CatchUp {
    /// A second of film, in pictures: who does not catch up within so many is too slow, and must hear it.
    static let patience = 25

    /// The first picture passes, so that one is to be seen at once; those that are over by now are dropped before anybody
    /// converts them; with the first that is not, or with a flush, it is done. So it is where the decoder comes no nearer.
    /// While the pipeline stands still the first stays away, too: a sink would show it for all of the pause.
    /// - Parameter pad: the source pad of the decoder, where nothing flows yet.
    static func dropWhatIsOver(on pad: Pad, time: RunningTime) -> PadProbe? {
        let progress = Locked(Progress())
        return pad.addProbe(events: true) { data in
            switch consume data {
            case .buffer(let picture):
                guard let pts = picture.pts, let begin = pad.currentSegment?.runningTime(of: pts) else {
                    return .passAndRemove
                }
                let late = time.now - (begin + (picture.duration ?? .zero))
                return late < .zero ? .passAndRemove : progress.withLock { $0.see(late, moves: time.moves) }
            case .event(.flushStop): return .passAndRemove
            default: return .pass
            }
        }
    }

    private struct Progress {
        private var pictures = 0
        private var isShown = false
        /// Of the first of each second of film.
        private var late = ClockTime.zero

        mutating func see(_ late: ClockTime, moves: Bool) -> ProbeVerdict {
            let comesNearer = pictures == 0 || late < self.late
            let counts = pictures.isMultiple(of: patience)
            pictures += 1
            if counts { self.late = late }
            if moves, !isShown {
                isShown = true
                return .pass
            }
            return counts && !comesNearer ? .passAndRemove : .drop
        }
    }

    /// Nobody upstream hears how late the first pictures were until one is in time: a decoder or a converter would leave out
    /// twice as much of what is due next. It hears so after it has caught up, because the sink shows when the next ones are
    /// decoded already.
    /// - Parameter pad: the input of a sink.
    static func keepLatenessBack(on pad: Pad) -> PadProbe? {
        let reports = Atomic(0)
        return pad.addUpstreamProbe { event in
            guard case .quality(_, let late) = event else { return .pass }
            guard late > 0, reports.add(1, ordering: .relaxed).newValue <= patience else { return .passAndRemove }
            return .drop
        }
    }
}
