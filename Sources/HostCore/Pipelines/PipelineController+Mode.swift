/// Pictures or sound alone, while it runs.
extension PipelineController {
    /// Brings the pipeline to a mode: now where it runs, from its next build on where it does not. `done` always comes, once.
    func setMode(_ mode: MediaMode, done: @escaping @HostActor () -> Void) {
        mediaMode = mode
        done()
    }
}
