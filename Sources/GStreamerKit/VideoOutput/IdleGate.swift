import Locking

/// Says of no stream that it is idle before all that queues give out is at rest, too.
///
/// Lock order: `state` is a leaf.
final class IdleGate: Sendable {
    private struct State {
        /// Counts the times it was closed: what rests only now may have been asked long ago.
        var round = 0
        var movingOutlets = 0
        var idle: [Int] = []
    }

    private let state = Locked(State())
    private let onIdle: @Sendable (Int) -> Void

    /// - Parameter onIdle: called with the number of a stream, on any thread; must not wait.
    init(onIdle: @escaping @Sendable (Int) -> Void) { self.onIdle = onIdle }

    /// As many are waited for from now on.
    /// - Returns: what each of them comes with.
    /// - Thread: any.
    func close(outlets: Int) -> Int {
        state.withLock { state in
            state = State(round: state.round + 1, movingOutlets: outlets)
            return state.round
        }
    }

    /// - Thread: any.
    func outletRests(round: Int) {
        let idle = state.withLock { state -> [Int] in
            guard state.round == round else { return [] }
            state.movingOutlets -= 1
            guard state.movingOutlets == 0 else { return [] }
            defer { state.idle = [] }
            return state.idle
        }
        for stream in idle { onIdle(stream) }
    }

    /// - Thread: any.
    func streamRests(_ stream: Int) {
        let passes = state.withLock { state in
            if state.movingOutlets > 0 { state.idle.append(stream) }
            return state.movingOutlets == 0
        }
        if passes { onIdle(stream) }
    }
}
