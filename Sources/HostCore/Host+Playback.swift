/// Pipelines as players.
extension Host {
    public func perform(_ request: PlaybackRequest, on name: String) async throws(ControlError) -> Value {
        let pipeline = try find(name)
        if request == .play { try requireNotQuiet() }
        return configuration.secrets.mask(try await pipeline.perform(request))
    }

    public func playback(of name: String) async throws(ControlError) -> Value {
        configuration.secrets.mask(try await find(name).playback())
    }
}
