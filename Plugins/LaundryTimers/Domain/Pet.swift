import PluginKit

/// A pet with what goes on around it: what the store has of it.
struct Pet: Sendable, Equatable {
    struct Defaults: Sendable, Equatable {
        /// Nanoseconds.
        var cycle: Int64
        var wash: Int64
        var dry: Int64

        func duration(_ kind: TimerKind) -> Int64 {
            switch kind {
            case .cycle: cycle
            case .wash: wash
            case .dry: dry
            }
        }
    }

    /// Its row; the timer's number in the queue.
    let row: Int64
    /// A UUID or a name, as the user gave it.
    var id: String
    var name: String
    var defaults: Defaults
    var hasSound: Bool
    var state = PetState.idle
    var stage = Stage.idle
    /// Wall clock, see `Health`.
    var caredAt: Int64
    var timer: ActiveTimer?

    /// How it and its laundry are without the timer: all that is stored of it.
    var rest: Rest { Rest(state: timer?.stateBefore ?? state, stage: timer?.stageBefore ?? stage) }

    struct Rest: Sendable, Equatable {
        var state: PetState
        var stage: Stage
    }

    var nextStep: NextStep? { timer == nil ? NextStep(state, stage) : nil }
}

/// A timer that is over, on its way to whoever waits for it.
struct FinishedTimer: Sendable, Equatable {
    var start: Int64
    var pet: Int64
    var kind: TimerKind
    var startedAt: Int64
    var duration: Int64
    /// The wall time at which it was due, not when somebody noticed.
    var finishedAt: Int64
    /// How much later that was, on the timer's own clock.
    var late: Int64
    /// How often it was handed on; more than once after a kill in between.
    var attempts: Int64 = 1
    /// The row of what it came from; 0 where somebody started it.
    var schedule: Int64 = 0
    /// Moments of that before it which nobody heard of.
    var missed: Int64 = 0
}
