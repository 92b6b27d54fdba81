internal import CGStreamer
import Synchronization

/// What happens to pictures after they were put back: the first ones are over by the time they are decoded.
///
/// Both probes end by themselves; who ends before that cancels them.
enum CatchUp {
    /// How many reports of a late picture are kept back: for a second of film. Who is late after it is too slow, and must hear it.
    static let mostReports = 25

    /// The first picture passes, so that one is to be seen at once; those that are over by now are dropped before anybody
    /// converts them; with the first that is not, or with a flush, it is done.
    /// - Parameter pad: the source pad of the decoder, where nothing flows yet.
    static func dropWhatIsOver(on pad: Pad, time: RunningTime) -> PadProbe? {
        let hasShown = Atomic(false)
        return pad.addProbe(events: true) { data in
            switch consume data {
            case .buffer(let picture):
                guard let pts = picture.pts, let begin = pad.currentSegment?.runningTime(of: pts),
                    begin + (picture.duration ?? .zero) <= time.now
                else { return .passAndRemove }
                return hasShown.exchange(true, ordering: .relaxed) ? .drop : .pass
            case .event(.flushStop): return .passAndRemove
            default: return .pass
            }
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
            guard late > 0, reports.add(1, ordering: .relaxed).newValue <= mostReports else { return .passAndRemove }
            return .drop
        }
    }
}
