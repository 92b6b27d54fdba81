import GStreamerKit
import Locking
import PluginKit

/// Shows the ring to a pipeline of the user's: an `appsrc` that gets the frames where the viewer is.
///
/// Each frame is given the running time at which the viewer will be there: the pipeline's clock and the viewer's place are
/// looked at together, so nothing accumulates over pauses, stalls and changes of rate.
///
/// Lock: `state` is held while frames are pushed, by one worker at a time; main takes it to put another output in, and may
/// wait for one push, which never waits itself.
final class ReplayPlayer: Sendable {
    private struct State {
        var source: AppSource?
        var cursor = PlaybackCursor()
        var format: UInt16?
        var caps: Caps?
        /// Media time `start` is shown at running time `base`.
        var anchor: (start: Int64, base: Int64, rate: Double)?
    }

    /// Frames are sent that much before they are due, so that a late tick does not show; nanoseconds.
    static let ahead: Int64 = 120_000_000
    /// What the pipeline's clock may differ from the viewer's place before it is told anew; nanoseconds.
    private static let tolerance: Int64 = 40_000_000
    /// How often it looks.
    static let tick = Duration.milliseconds(20)

    private let store: ReplayStore
    private let time: @Sendable () -> Int64
    private let state = Locked(State())

    /// - Parameter time: CLOCK_MONOTONIC.
    init(_ store: ReplayStore, time: @escaping @Sendable () -> Int64) {
        self.store = store
        self.time = time
    }

    /// Nil takes the output away. - Thread: main.
    func show(on source: AppSource?) {
        state.withLock { state in
            state = State()
            state.source = source
        }
    }

    /// Sends what is due. - Thread: worker.
    func pump() {
        state.withLock { state in
            guard let source = state.source, let running = source.runningTime?.nanoseconds else { return }
            let now = time()
            guard let (step, position, rate) = store.step(&state.cursor, at: now, ahead: Self.ahead) else { return }
            send(step, from: position, rate: rate, running: running, to: source, &state)
        }
    }

    private func send(
        _ step: PlaybackCursor.Step, from position: Int64, rate: Double, running: Int64, to source: AppSource,
        _ state: inout State
    ) {
        guard let batch = store.borrow(from: step.from, limit: step.isSingle ? 1 : ReplayStore.chunkFrames) else {
            return
        }
        defer { store.giveBack(batch) }
        var scratch: [UInt8] = []
        var next = step.from
        var isFirst = step.isJump
        // The picture of a place is the last one that begins at or before it.
        let stop = step.isSingle ? 0 : batch.frames.lastIndex { $0.track == 0 && $0.pts <= step.until } ?? -1
        for (index, frame) in batch.frames.enumerated() where index <= stop {
            next += 1
            guard frame.track == 0 else { continue }
            if frame.format != state.format || state.caps == nil {
                (state.format, state.caps) = (frame.format, Caps(store.caps(frame.format)))
                if let caps = state.caps { source.setCaps(caps) }
            }
            guard let caps = state.caps else { continue }
            let speed = rate == 0 ? 1 : abs(rate)
            let start = step.isSingle || !isFirst ? frame.pts : max(frame.pts, step.shownFrom)
            let base = running + Self.ahead + (step.isSingle ? 0 : Int64(Double(start - position) / speed))
            let anchor = state.anchor.flatMap { known in
                let due = known.base + Int64(Double(start - known.start) / known.rate)
                return !isFirst && known.rate == speed && abs(due - base) <= Self.tolerance ? known : nil
            }
            var unit = AppSource.Unit(
                pts: ClockTime(nanoseconds: max(0, frame.pts)), dts: nil,
                duration: frame.duration > 0 ? ClockTime(nanoseconds: frame.duration) : nil, isDelta: !frame.isKey)
            unit.isDiscontinuous = isFirst
            // Still on the way to the place: shown by nobody, so it has no time to keep.
            let isHidden = !isFirst && frame.pts < step.shownFrom
            let taken = store.withBytes(of: frame, scratch: &scratch) { bytes in
                if anchor != nil || isHidden { return source.push(bytes, unit) }
                state.anchor = (start, max(0, base), speed)
                return source.push(
                    bytes, unit,
                    opening: AppSource.Opening(
                        start: ClockTime(nanoseconds: max(0, start)), base: ClockTime(nanoseconds: max(0, base)),
                        rate: speed), caps: caps)
            }
            isFirst = false
            guard taken else { break }
        }
        if !step.isSingle { state.cursor.sent(to: next) }
    }
}
