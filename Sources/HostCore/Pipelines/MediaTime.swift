internal import GStreamerKit
import Locking

/// The media timeline of one pipeline, shared by its streaming threads and the control thread.
///
/// Lock order: a leaf, held for a few instructions; nothing is called while it is held.
public final class MediaTime: Sendable {
    private let timeline = Locked(MediaTimeline())

    public init() {}

    /// The number of the present run, from 1.
    public var epoch: UInt32 { timeline.withLock { $0.epoch } }
    public func addStream() -> Int { timeline.withLock { $0.addStream() } }
    public func setKind(_ kind: MediaTimeline.Kind, of stream: Int) {
        timeline.withLock { $0.setKind(kind, of: stream) }
    }
    func setMissed(_ missed: Bool, _ stream: Int) { timeline.withLock { $0.setMissed(missed, stream) } }
    public func beginEpoch() { timeline.withLock { $0.beginEpoch() } }
    func endPause(at begin: ClockTime?, isLive: Bool) {
        timeline.withLock { $0.endPause(at: begin, isLive: isLive) }
    }
    func removeStream(_ stream: Int) { timeline.withLock { $0.removeStream(stream) } }

    /// - Thread: stream; allocates nothing, never waits for more than a few instructions of another stream.
    func place(
        _ stream: Int, runningTime: ClockTime?, decodeTime: ClockTime?, duration: ClockTime?, now: ClockTime
    ) -> (MediaTimeline.Placement, UInt32) {
        timeline.withLock {
            let place = $0.place(
                stream, runningTime: runningTime, decodeTime: decodeTime, duration: duration, now: now)
            return (place, $0.epoch)
        }
    }

    /// Where "now" is on the line; nil where no tap has heard anything yet.
    /// - Parameter now: of the coarse clock.
    func liveEdge(at now: ClockTime) -> ClockTime? { timeline.withLock { $0.edge.time(at: now) } }
}
