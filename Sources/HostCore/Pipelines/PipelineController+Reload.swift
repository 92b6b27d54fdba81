/// What a reload needs of a controller. Taps and the media timeline stay over all of it.
extension PipelineController {
    /// How far a start has come, as far as a reload is concerned.
    enum StartProgress: Sendable, Equatable {
        case pending
        /// Media passes, or has passed to its end.
        case live
        case failed(PipelineFailure)
    }

    /// Whether it runs, or would if it had not ended by itself: what is changed then starts anew.
    var isToRun: Bool { condition != .stopped }

    /// Asked while a start is under way.
    var startProgress: StartProgress {
        if let failure { return .failed(failure) }
        if hasEnded { return .live }
        switch condition {
        // Without a start-timeout it may wait for its media as long as it likes.
        case .recovering: return .failed(lastFailure ?? PipelineFailure(code: "recovering", message: "it failed at once"))
        case .playing, .degraded: return hasFirstBuffer || description.startTimeout == nil ? .live : .pending
        default: return .pending
        }
    }

    /// Takes a description that the next start builds. Only at rest, with nothing built.
    /// - Parameter machine: how it had ended under this description; by default it has not.
    func replace(with description: PipelineDescription, machine: PipelineStateMachine? = nil) {
        self.description = description
        self.machine = machine ?? PipelineStateMachine(rules: description.rules)
        self.machine.rules = description.rules
    }
}
