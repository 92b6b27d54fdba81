/// The two-stage pause: from a desired state to the order of calls, without plugins, pipelines or time.
///
/// ```
///            desired: quiet           all answered or late         pipelines follow
///  running ────────────────▶ asking(willPause) ─────────▶ pausing ─────────────────▶ paused ──┐ another
///   ▲ │ ▲                            ▲                                               │ │ ▲ ◀──┘ reason:
///   │ └─┘ adapting                   └──────── a reason that presses more ───────────┘ │ │      adapting
///   │                                                                                  │
///   └──── resuming ◀──────── asking(willResume) ◀──────────────────────────────────────┘
///      pipelines started         all answered or late            desired: not quiet
/// ```
///
/// The desired state is a level: what changes during a step is followed when the step is over, so a lost, doubled or
/// reversed request ends in the right place. Every will-x is followed by its did-x, and a resume only follows a pause.
struct LifecycleStateMachine: Sendable {
    enum State: Sendable, Equatable {
        case running
        case asking(LifecycleChange)
        case pausing
        case paused
        case resuming
        /// Pipelines follow bits that neither pause nor resume.
        case adapting(isPaused: Bool)
    }

    enum Event: Sendable, Equatable {
        case desired(DesiredState)
        /// Everybody has answered the question, or was given up.
        case answered
        /// Pipelines have followed: those that are to be quiet are, the others were started.
        case pipelinesDone
    }

    enum Action: Sendable, Equatable {
        /// Tell everybody, and collect answers.
        case ask(LifecycleChange, DesiredState)
        /// Tell everybody; no answer is expected.
        case tell(LifecycleChange, DesiredState)
        /// Bring each pipeline to its mode for this state.
        case follow(DesiredState)
    }

    private(set) var state = State.running
    private(set) var desired: DesiredState = []
    /// What plugins were told last.
    private(set) var told: DesiredState = []

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .desired(let wanted):
            desired = wanted
            return pursue()
        case .answered:
            switch state {
            case .asking(.willPause): state = .pausing
            case .asking(.willResume): state = .resuming
            case .asking, .running, .pausing, .paused, .resuming, .adapting: return []
            }
            return [.follow(told)]
        case .pipelinesDone:
            switch state {
            case .pausing:
                state = .paused
                return [.tell(.didPause, told)] + pursue()
            case .resuming:
                state = .running
                return [.tell(.didResume, told)] + pursue()
            case .adapting(let isPaused):
                state = isPaused ? .paused : .running
                return pursue()
            case .asking, .running, .paused: return []
            }
        }
    }

    /// Whether it is where it should be, with everybody told.
    var isSettled: Bool {
        switch state {
        case .running, .paused: told == desired
        case .asking, .pausing, .resuming, .adapting: false
        }
    }

    private mutating func pursue() -> [Action] {
        switch state {
        case .running where desired.isQuiet: ask(.willPause)
        case .paused where !desired.isQuiet: ask(.willResume)
        // Quiet for more than before (a paused host that is to sleep, or ends): let plugins finish what they must.
        case .paused where !desired.intersection(.pressing).isSubset(of: told): ask(.willPause)
        case .running where told != desired: adapt(isPaused: false)
        case .paused where told != desired: adapt(isPaused: true)
        case .running, .paused, .asking, .pausing, .resuming, .adapting: []
        }
    }

    private mutating func ask(_ change: LifecycleChange) -> [Action] {
        state = .asking(change)
        told = desired
        return [.ask(change, desired)]
    }

    /// Plugins are told first: who shows something on a locked screen must not wait until a file is finalised.
    private mutating func adapt(isPaused: Bool) -> [Action] {
        state = .adapting(isPaused: isPaused)
        told = desired
        return [.tell(.changed, desired), .follow(desired)]
    }
}
