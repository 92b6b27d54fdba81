/// What a pipeline is doing, as users are told.
public enum PipelineCondition: String, Sendable, CaseIterable {
    /// It does not run, because nobody asked it to.
    case stopped
    /// On its way; not everything it should carry passes yet.
    case starting
    /// A queue fills; it plays on when there is enough.
    case buffering
    /// Buffers of every kind of media it should carry pass now.
    case playing
    case paused
    /// It plays, but one kind of media, or one live source, is silent.
    case degraded
    /// It plays, and nothing passes.
    case stalled
    /// It broke, and is being built anew.
    case recovering
    /// It broke, and does not run.
    case failed
    /// It played to its end.
    case finished
}
