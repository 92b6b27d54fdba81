internal import GStreamerKit

/// What a pipeline is told to do: by its user, the lifecycle or a reload.
extension PipelineController {
    public func play() { feed(.target(.playing)) }

    /// Plays again with the host: its users wait for a first buffer, whatever the build has shown before.
    func resume() {
        if let build {
            (hasFirstBuffer, firstBufferDue) = (false, clock.monotonic())
            firstBufferRound = build.awaitFirstBuffer()
        }
        play()
    }

    /// Stands still, with its devices.
    public func pause() {
        // What it waits in there may never end.
        if machine.state == .building { pauseIsAwaited = true }
        quieten(to: .paused)
        // The change to PLAYING that it is still in may never end.
        if case .changing = machine.state { armPause() }
    }

    /// For good: the next start is from the beginning.
    public func stop() {
        forgetThePlace()
        // Whatever is asked of it before it is at rest.
        forgetsPlace = true
        // A loop that only plays is not played out: its queues may hold many rounds.
        machine.drains =
            build.map { description.onEOS != .loop && stuckSince == nil || $0.hasSomethingToFinalise } ?? true
        quieten(to: .stopped)
    }

    /// For a while: a player goes on from where it is now.
    func interrupt() {
        // One that was stopped before has no place that it would go on from.
        if machine.target != .stopped { keepsPlace = true }
        // Nor is one that goes on there.
        machine.drains = build.map { $0.isLive && stuckSince == nil || $0.hasSomethingToFinalise } ?? true
        quieten(to: .stopped)
    }

    private func quieten(to target: PipelineStateMachine.Target) {
        feed(.target(target))
        armBuild()
    }

    /// Plays from the beginning, also what has finished or failed.
    public func startOver() {
        forgetThePlace()
        feed(.target(.playing))
        feed(.startOver)
    }

    /// One that runs says where it is when it goes.
    private func forgetThePlace() {
        (place, keepsPlace) = (nil, false)
        settlePlace()
        forgetsPlace = !machine.state.isRunning
    }

    /// Has what failed play again before its cool-down is over, from where it was.
    func tryAgain() {
        if failure != nil { feed(.startOver) }
    }
}
