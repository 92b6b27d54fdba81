/// The client's side of `PlaybackRoutes`.
extension ControlClient {
    public func playback(of pipeline: String, timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.get, path(of: pipeline, "position"), timeout: timeout)
    }

    /// - Parameters:
    ///   - action: "play", "pause", "mode", "seek" or "rate".
    ///   - body: what it needs.
    public func perform(
        _ action: String, _ body: Value? = nil, on pipeline: String, timeout: Duration = .seconds(30)
    ) throws(ControlError) -> Value {
        try request(.post, path(of: pipeline, action), body: body, timeout: timeout)
    }
}
