internal import CGStreamer
import Locking

/// Keeps pictures from the sinks of a pipeline, from before its first one until it is lifted.
///
/// Each picture is replaced by a gap of its length, on which a sink prerolls and which it waits for like for a picture: nothing
/// runs ahead, and no other branch waits.
public final class PictureCurtain: Sendable {
    private struct State {
        var isUp = false
        var endsAtFlush = false
        var probes: [PadProbe] = []
    }

    /// A leaf; probes are put on and taken off outside of it.
    private let state = Locked(State())

    /// Covers the sinks of a pipeline in which nothing flows yet, and those that join it later. - Thread: any.
    public init(over pipeline: Pipeline) {
        pipeline.onElementAdded { if $0.isSink, !$0.isBin { self.cover($0) } }
        for sink in pipeline.sinks { cover(sink) }
    }

    /// Covers a sink, where it may be one of pictures. - Thread: any, before anything comes to it.
    private func cover(_ sink: Element) {
        guard let isPicture = VideoPaths.picturesTest(of: sink), let pad = sink.pad(named: "sink") else { return }
        let probe = pad.addProbe(events: true) { data in
            switch consume data {
            case .buffer(let buffer):
                guard isPicture(pad.currentCaps) else { return .pass }
                pad.takeGap(at: buffer.pts, for: buffer.duration)
                return .drop
            case .event(.flushStop) where self.state.withLock({ $0.endsAtFlush }): return .passAndRemove
            default: return .pass
            }
        }
        guard let probe else { return }
        let isUp = state.withLock { state in
            if !state.isUp { state.probes.append(probe) }
            return state.isUp
        }
        if isUp { probe.cancel() }
    }

    /// What comes behind the next flush is seen: each sink by itself, for a seek that nothing of before may overtake. - Thread: any.
    public func liftAtFlush() { state.withLock { $0.endsAtFlush = true } }

    /// What comes from now on is seen; twice is harmless. - Thread: any.
    public func lift() {
        let probes = state.withLock { state in
            defer { state = State(isUp: true) }
            return state.probes
        }
        for probe in probes { probe.cancel() }
    }
}
