/// The two-stage pause: from a desired state to the order of calls, without plugins, pipelines or time.
///
/// ```
///            desired: quiet            all answered or late         pipelines at rest
///  running ────────────────▶ asking(willPause) ─────────▶ pausing ─────────────────▶ paused
///     ▲                                                                                │
///     └──── resuming ◀──────── asking(willResume) ◀────────────────────────────────────┘
///      pipelines started         all answered or late            desired: run
/// ```
///
/// The desired state is a level: what changes during a step is followed when the step is over, so a lost, doubled or
/// reversed request ends in the right place.
struct LifecycleStateMachine: Sendable {
    enum State: Sendable, Equatable {
        case running
        case asking(LifecycleChange)
        case pausing
        case paused
        case resuming
    }

    enum Event: Sendable, Equatable {
        case desired(DesiredState)
        /// Everybody has answered the question, or was given up.
        case answered
        /// Pipelines have followed: all are quiet, or all were started.
        case pipelinesDone
    }

    enum Action: Sendable, Equatable {
        /// Tell everybody, and collect answers.
        case ask(LifecycleChange, DesiredState)
        /// Tell everybody; no answer is expected.
        case tell(LifecycleChange, DesiredState)
        case quietPipelines
        case startPipelines
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
            case .asking(.willPause):
                state = .pausing
                return [.quietPipelines]
            case .asking(.willResume):
                state = .resuming
                return [.startPipelines]
            case .asking, .running, .pausing, .paused, .resuming: return []
            }
        case .pipelinesDone:
            switch state {
            case .pausing:
                state = .paused
                return [.tell(.didPause, told)] + pursue()
            case .resuming:
                state = .running
                return [.tell(.didResume, told)] + pursue()
            case .asking, .running, .paused: return []
            }
        }
    }

    /// Whether it is where it should be, with everybody told.
    var isSettled: Bool {
        switch state {
        case .running: desired.isEmpty
        case .paused: !desired.isEmpty && told == desired
        case .asking, .pausing, .resuming: false
        }
    }

    private mutating func pursue() -> [Action] {
        switch state {
        case .running where !desired.isEmpty: ask(.willPause)
        case .paused where desired.isEmpty: ask(.willResume)
        // Quiet for another reason now (a paused host that shuts down): tell, and let plugins finish what they must.
        case .paused where told != desired: ask(.willPause)
        case .running, .paused, .asking, .pausing, .resuming: []
        }
    }

    private mutating func ask(_ change: LifecycleChange) -> [Action] {
        state = .asking(change)
        told = desired
        return [.ask(change, desired)]
    }
}
