/// The client's side of `LifecycleRoutes`. Each returns when everybody was told and the pipelines have followed.
extension ControlClient {
    public func pause(timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.post, "/v1/pause", timeout: timeout)
    }

    public func resume(timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.post, "/v1/resume", timeout: timeout)
    }

    public func setLocked(_ isLocked: Bool, timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.post, isLocked ? "/v1/lock" : "/v1/unlock", timeout: timeout)
    }

    /// - Parameter source: who interrupts; nil: nobody in particular.
    public func beginInterruption(
        source: String? = nil, timeout: Duration = .seconds(30)
    ) throws(ControlError) -> Value {
        try request(.post, "/v1/interrupt/begin", body: .map(Self.members(source)), timeout: timeout)
    }

    /// - Parameter shouldResume: whether the host goes on by itself; else it waits for its user.
    public func endInterruption(
        source: String? = nil, shouldResume: Bool, timeout: Duration = .seconds(30)
    ) throws(ControlError) -> Value {
        try request(
            .post, "/v1/interrupt/end",
            body: .map(Self.members(source) + [.init("resume", .bool(shouldResume))]), timeout: timeout)
    }

    public func setLowPower(_ isOn: Bool, timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.post, "/v1/low-power", body: ["on": .bool(isOn)], timeout: timeout)
    }

    private static func members(_ source: String?) -> [Value.Member] {
        source.map { [.init("source", .string($0))] } ?? []
    }
}
