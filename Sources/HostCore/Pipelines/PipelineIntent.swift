/// What the user of a pipeline wants of it, whatever the lifecycle makes of that meanwhile.
enum PipelineIntent: Sendable, Equatable {
    case playing
    /// Its user has paused it.
    case paused
    /// Its user has stopped it, or it was never started.
    case stopped
    /// It has played to its end, or has failed for good: there is nothing to come back to.
    case ended

    var isToRun: Bool { self == .playing || self == .paused }
}
