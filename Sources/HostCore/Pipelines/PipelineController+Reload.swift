/// What a reload needs of a controller. Taps and the media timeline stay over all of it.
extension PipelineController {
    /// How far a start has come, as far as a reload is concerned.
    enum StartProgress: Sendable, Equatable {
        case pending
        /// It is built, and may wait for its media as long as it likes: it has no start-timeout.
        case waiting
        /// Media passes, or has passed to its end.
        case live
        case failed(PipelineFailure)
    }

    /// Whether it is to run, or was when it ended by itself: what is changed then starts anew.
    var isToRun: Bool { machine.target != .stopped }

    /// What the lifecycle goes by.
    var situation: PipelinePlan.Situation {
        PipelinePlan.Situation(
            name: name, intent: intent, policy: description.background, media: wantedMedia)
    }

    private var intent: PipelineIntent {
        // What captures is tried again: its device may be there now.
        if machine.hasEnded, machine.target != .stopped, !isCapture { return .ended }
        switch machine.target {
        // It could not be paused in time; its user has not stopped it.
        case .stopped: return machine.hasMissedPause ? .paused : .stopped
        case .playing: return .playing
        case .paused: return .paused
        }
    }

    /// Asked while a start is under way.
    var startProgress: StartProgress {
        switch condition {
        case .playing, .degraded, .finished: .live
        case .failed, .recovering, .stalled:
            .failed(lastFailure ?? PipelineFailure(code: reason.code, message: reason.text))
        case .starting, .buffering: description.startTimeout == nil && build != nil ? .waiting : .pending
        case .stopped, .paused: .pending
        }
    }

    /// How one had ended by itself.
    struct Ended {
        let machine: PipelineStateMachine
        let isCapture: Bool
    }

    /// Nil where it has not.
    var ended: Ended? { hasEnded ? Ended(machine: machine, isCapture: isCapture) : nil }

    /// Takes a description that the next start builds. Only at rest, with nothing built.
    /// - Parameter ended: how it had ended under this description; by default it has not.
    func replace(with description: PipelineDescription, ended: Ended? = nil) {
        deadline?.cancel()
        self.description = description
        overrides = []
        isCapture = ended?.isCapture ?? false
        place = nil
        let hanging = machine.abandoned
        machine = ended?.machine ?? PipelineStateMachine(rules: description.rules)
        machine.takeOver(abandoned: hanging)
    }
}
