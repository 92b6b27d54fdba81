/// With or without pictures.
extension PipelineController {
    /// What is presented, as far as it plays.
    public var mode: MediaMode { modes.mode }

    /// Presents this from now on, over every build; `done` when it is so, when nothing plays, or when it takes too long (it goes
    /// on then). A pipeline without pictures, or with nothing else, is left as it is.
    public func setMode(_ mode: MediaMode, done: @escaping @HostActor () -> Void) { modes.set(mode, done: done) }
}
