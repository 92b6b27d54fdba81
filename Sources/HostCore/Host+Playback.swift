/// Pipelines as players.
extension Host {
    public func perform(_ request: PlaybackRequest, on name: String) async throws(ControlError) -> Value {
        let pipeline = try find(name)
        switch request {
        case .play:
            try requireNotQuiet(pipeline)
            // Also one that is about to be over. What has failed goes on where it was.
            if pipeline.state == .finished || pipeline.state == .closing(.finished) {
                pipelines.startOver(pipeline)
            } else {
                pipelines.playNow(pipeline)
            }
            try await pipeline.comesToPlay()
        case .pause:
            guard pipelines.isToRun(pipeline) else { throw pipeline.notBuilt }
            pipelines.pause(pipeline)
            await atRest(pipeline)
        case .mode(let mode):
            await withCheckedContinuation { done in pipelines.setMode(mode, of: pipeline) { done.resume() } }
        case .seek(let position, let isAccurate):
            try requireBuilt(pipeline)
            try await pipeline.seek(to: position, rate: nil, isAccurate: isAccurate)
        case .rate(let rate):
            try requireBuilt(pipeline)
            try await pipeline.seek(to: nil, rate: rate, isAccurate: true)
        }
        return try await pipeline.playback()
    }

    public func playback(of name: String) async throws(ControlError) -> Value {
        try await find(name).playback()
    }

    /// One that the state of the host has stopped is not started by its user.
    private func requireBuilt(_ pipeline: PipelineController) throws(ControlError) {
        if pipeline.build == nil, pipelines.isToRun(pipeline) { try requireNotQuiet(pipeline) }
    }

    func atRest(_ pipeline: PipelineController) async {
        // Somebody may play it meanwhile, which may never come to rest.
        await withCheckedContinuation { done in
            pipeline.whenAtRest(within: pipeline.limits.arrival) { _ in done.resume() }
        }
    }
}
