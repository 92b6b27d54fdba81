import GStreamerKit
import Locking
import PluginKit
import Synchronization

/// Shows the ring to a pipeline of the user's: an `appsrc` that gets the frames where the viewer is.
///
/// Each frame is given the running time at which the viewer will be there: the pipeline's clock and the viewer's place are
/// looked at together, so nothing accumulates over pauses, stalls and changes of rate.
///
/// Lock: `state` is held while frames are pushed, by one worker at a time; main takes it to put another output in, and may
/// wait for `burst` pushes, none of which waits itself.
final class ReplayPlayer: Sendable {
    private struct State {
        var source: AppSource?
        var cursor = PlaybackCursor()
        var format: UInt16?
        var caps: Caps?
        /// Of the frame that is sent.
        var bytes: [UInt8] = []
        var line: PlayerLine?
        var sound: PlayerSound?
        var timing = OutputTiming()
        /// Running time of the newest picture that is shown.
        var newest: Int64 = 0
        var feedback: PadProbe?
    }

    /// Frames are sent that much before they are due, so that a late tick does not show; nanoseconds.
    static let ahead: Int64 = 120_000_000
    /// What may wait in front of a pipeline that takes nothing, but for one frame; the rest stays in the ring.
    static let queueBytes: UInt64 = 4 << 20
    /// Frames sent in one go; the rest goes with the next tick.
    private static let burst = 512
    /// How often it looks.
    static let tick = Duration.milliseconds(20)

    private let store: ReplayStore
    private let time: @Sendable () -> Int64
    private let state = Locked(State())
    /// Whether a worker was asked to look and has not begun.
    private let isAsked = Atomic(false)

    /// - Parameter time: CLOCK_MONOTONIC.
    init(_ store: ReplayStore, time: @escaping @Sendable () -> Int64) {
        self.store = store
        self.time = time
    }

    /// Nil takes the output away. - Thread: main.
    func show(on source: AppSource?, sound: AppSource? = nil) {
        let old = state.withLock { state in
            defer {
                state = State()
                state.source = source
                state.sound = sound.map { PlayerSound(source: $0) }
                state.feedback = source?.listen { [timing = state.timing] in timing.hear($0) }
            }
            return state.feedback
        }
        old?.cancel()
    }

    /// Whether a worker has to be asked: where all are busy, one that waits is enough. - Thread: main.
    func wantsPump() -> Bool { !isAsked.exchange(true, ordering: .acquiringAndReleasing) }

    /// None comes. - Thread: main.
    func gotNoPump() { isAsked.store(false, ordering: .releasing) }

    /// Sends what is due. - Thread: worker.
    func pump() {
        state.withLock { state in
            isAsked.store(false, ordering: .releasing)
            guard let source = state.source, let running = source.runningTime?.nanoseconds else { return }
            let now = time()
            for _ in 0..<Self.burst {
                let queued = source.queuedBytes
                guard queued < Self.queueBytes,
                    let due = store.next(
                        &state.cursor, at: now, ahead: Self.ahead, isIdle: queued == 0, into: &state.bytes),
                    send(due, running: running, to: source, &state)
                else { break }
            }
            if state.cursor.takeDrain() {
                source.drain(at: ClockTime(nanoseconds: max(0, state.line?.start ?? 0)))
            }
            state.sound?.pump(store, at: now, along: state.line, most: Self.queueBytes, burst: Self.burst)
        }
    }

    /// False where the output takes nothing.
    private func send(_ due: PlayerFrame, running: Int64, to source: AppSource, _ state: inout State) -> Bool {
        let frame = due.frame
        if frame.format != state.format || state.caps == nil {
            (state.format, state.caps) = (frame.format, Caps(store.caps(frame.format)))
            if let caps = state.caps { source.setCaps(caps) }
        }
        if let caps = state.caps {
            let plan = PicturePlan(
                due, running: running, soonest: state.timing.soonest(running), line: state.line, newest: state.newest)
            let isTaken = state.bytes.span.withUnsafeBytes { bytes in
                plan.opening.map { source.push(bytes, plan.unit, opening: $0, caps: caps) }
                    ?? source.push(bytes, plan.unit)
            }
            guard isTaken else { return false }
            (state.line, state.newest) = (plan.line, plan.newest)
        }
        state.cursor.sent(to: due.sequence + 1, pts: frame.pts)
        return true
    }
}
