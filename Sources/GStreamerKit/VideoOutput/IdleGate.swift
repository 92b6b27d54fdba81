import Locking

/// Says of no stream that it is idle before all that queues give out is at rest, too.
///
/// Lock order: `state` is a leaf.
final class IdleGate: Sendable {
    private struct State {
        /// Another number each time it is closed: what rests only now may have been asked long ago.
        var round = 0
        var movingOutlets = 0
        var idle: [Int] = []
    }

    private let state = Locked(State())
    private let onIdle: @Sendable (_ stream: Int, _ round: Int) -> Void

    /// - Parameter onIdle: called on any thread; must not wait.
    init(onIdle: @escaping @Sendable (_ stream: Int, _ round: Int) -> Void) { self.onIdle = onIdle }

    /// As many are waited for from now on.
    /// - Parameter round: what each of them comes with.
    /// - Thread: any.
    func close(round: Int, outlets: Int) { state.withLock { $0 = State(round: round, movingOutlets: outlets) } }

    /// - Thread: any.
    func outletRests(round: Int) {
        let idle = state.withLock { state -> [Int] in
            guard state.round == round else { return [] }
            state.movingOutlets -= 1
            guard state.movingOutlets == 0 else { return [] }
            defer { state.idle = [] }
            return state.idle
        }
        for stream in idle { onIdle(stream, round) }
    }

    /// - Thread: any.
    func streamRests(_ stream: Int, round: Int) {
        let passes = state.withLock { state in
            guard state.round == round else { return false }
            if state.movingOutlets > 0 { state.idle.append(stream) }
            return state.movingOutlets == 0
        }
        if passes { onIdle(stream, round) }
    }
}
