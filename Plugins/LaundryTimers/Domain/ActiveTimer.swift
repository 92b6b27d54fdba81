/// The timer of a pet, as it is stored.
///
/// `startedAt` never changes. `duration` is all of it: an extension makes it longer. Time in a pause does not count, so after one
/// `startedAt + duration` is before the end.
struct ActiveTimer: Sendable, Equatable {
    enum Run: Sendable, Equatable {
        /// Due at a boottime of the boot of this row.
        case elapsed(boot: Int64, due: Int64)
        /// Due at a wall time; the boot is that of the start.
        case wall(boot: Int64, due: Int64)
        /// So much is left.
        case paused(Basis, remaining: Int64)
    }

    /// Unique in the store, never used again: with the pet's id it names this timer.
    var start: Int64
    var kind: TimerKind
    var run: Run
    /// Wall clock, nanoseconds.
    var startedAt: Int64
    var duration: Int64
    /// What `stop` restores.
    var stateBefore: PetState
    var stageBefore: Stage
    /// How often it may have been told that it is over, by hosts that did not live to commit that.
    var attempts: Int64 = 0

    var basis: Basis {
        switch run {
        case .elapsed: .elapsed
        case .wall: .wall
        case .paused(let basis, _): basis
        }
    }

    var isPaused: Bool { if case .paused = run { true } else { false } }

    /// Of what is done, 0 to 1. An extension sets it back; in a pause it stands.
    func progress(remaining: Int64) -> Double {
        guard duration > 0 else { return 1 }
        return min(1, max(0, 1 - Double(remaining) / Double(duration)))
    }
}
