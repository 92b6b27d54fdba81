internal import CGStreamer
import Synchronization

/// After a decoder began anew: its first picture passes, so that one is to be seen at once; those that are over by now are dropped
/// before anybody converts them; with the first that is not, it is done.
final class CatchUp: Sendable {
    private let time: RunningTime
    private let hasShown = Atomic(false)

    private init(_ time: RunningTime) { self.time = time }

    /// It takes itself off; who ends before that cancels the result, which holds the pad.
    /// - Parameter pad: the source pad of the decoder, where nothing flows yet.
    static func install(on pad: Pad, time: RunningTime) -> PadProbe? {
        let catchUp = CatchUp(time)
        return pad.addProbe { data in
            guard case .buffer(let buffer) = consume data else { return .pass }
            return catchUp.see(buffer, pad)
        }
    }

    private func see(_ buffer: borrowing BufferView, _ pad: Pad) -> ProbeVerdict {
        guard let begin = pad.currentSegment?.runningTime(of: buffer.pts) else { return .passAndRemove }
        let isOver = begin + (buffer.duration ?? .zero) <= time.now
        guard isOver else { return .passAndRemove }
        return hasShown.exchange(true, ordering: .relaxed) ? .drop : .pass
    }
}
