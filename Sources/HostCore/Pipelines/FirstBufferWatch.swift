internal import GStreamerKit
import Locking

/// Tells of the first buffer at each sink of a build, and once more after each `arm`.
///
/// Each probe takes itself off with its buffer, so what passes later costs nothing.
///
/// Lock order: a leaf; probes are put on and taken off outside of it.
final class FirstBufferWatch: Sendable {
    private struct State {
        /// What comes of an earlier one was on its way when it was armed anew.
        var round = 0
        var sinks: [(name: String, pad: Pad)] = []
        var probes: [PadProbe] = []
    }

    private let state = Locked(State())
    private let onBuffer: @Sendable (_ element: String, _ round: Int) -> Void

    /// - Parameter onBuffer: called from streaming threads.
    init(onBuffer: @escaping @Sendable (_ element: String, _ round: Int) -> Void) { self.onBuffer = onBuffer }

    /// Of the sinks. - Thread: any.
    var names: [String] { state.withLock { $0.sinks.map(\.name) } }

    /// One more sink. - Thread: any that may add a probe.
    func add(_ name: String, _ pad: Pad) {
        let round = state.withLock { state in
            state.sinks.append((name, pad))
            return state.round
        }
        watch(name, pad, round)
    }

    /// What comes to any sink from now on is a first buffer again, told with this number. - Thread: any.
    func arm() -> Int {
        let (round, sinks, old) = state.withLock { state in
            state.round += 1
            defer { state.probes = [] }
            return (state.round, state.sinks, state.probes)
        }
        for probe in old { probe.cancel() }
        for (name, pad) in sinks { watch(name, pad, round) }
        return round
    }

    /// Lets go of the pads. - Thread: any.
    func cancel() {
        let probes = state.withLock { state in
            defer { (state.sinks, state.probes) = ([], []) }
            return state.probes
        }
        for probe in probes { probe.cancel() }
    }

    private func watch(_ name: String, _ pad: Pad, _ round: Int) {
        let probe = pad.addProbe { [onBuffer] _ in
            onBuffer(name, round)
            return .passAndRemove
        }
        if let probe { state.withLock { $0.probes.append(probe) } }
    }
}
