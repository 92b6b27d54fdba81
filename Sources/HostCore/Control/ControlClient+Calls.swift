/// Commands of plugins, and the jobs that long ones are.
extension ControlClient {
    /// What a call has come to.
    public enum CallAnswer: Sendable, Equatable {
        case result(Value)
        /// It goes on: the job.
        case job(Value)
    }

    /// Runs a command of a plugin instance. Names may hold any character, but no URI carries `.` and `..`.
    /// - Parameter parameters: a map.
    public func call(
        instance: String, command: String, parameters: Value = .map([]), timeout: Duration = .seconds(30)
    ) throws(ControlError) -> Value {
        let path = try path(of: command, instance)
        return try request(.post, path, body: parameters, timeout: timeout)
    }

    /// The same, but a command that takes longer than `patience` goes on as a job.
    /// - Parameter timeout: how long the host may stay silent beyond that.
    public func call(
        instance: String, command: String, parameters: Value = .map([]), patience: Duration,
        timeout: Duration = .seconds(30)
    ) throws(ControlError) -> CallAnswer {
        let path = try path(of: command, instance) + Self.query(patience)
        let answer = try fetch(.post, path, body: parameters, timeout: timeout + patience)
        let value = try value(of: answer)
        return answer.status == 202 ? .job(value) : .result(value)
    }

    public func jobs(timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.get, "/v1/jobs", timeout: timeout)["jobs"] ?? .list([])
    }

    /// A job when it has ended, or after `patience`.
    public func job(
        _ id: String, patience: Duration = .zero, timeout: Duration = .seconds(30)
    ) throws(ControlError) -> Value {
        try request(.get, path(ofJob: id) + Self.query(patience), timeout: timeout + patience)
    }

    /// Asks for the end of a job, and returns it as it is then.
    public func cancel(job id: String, timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.post, path(ofJob: id) + "/cancel", timeout: timeout)
    }

    /// What a job that has ended was for; nil where it goes on.
    /// - Throws: why it did not succeed.
    public static func result(of job: Value) throws(ControlError) -> Value? {
        switch job["state"]?.string.flatMap(Job.State.init) {
        case .succeeded?: return job["result"] ?? .map([])
        case .running?, .cancelling?: return nil
        default:
            throw job["error"].flatMap { ControlError(body: $0, status: 500) }
                ?? ControlError(.failed, "the job has ended without a reason")
        }
    }

    private func path(of command: String, _ instance: String) throws(ControlError) -> String {
        for name in [instance, command] where name == "." || name == ".." || name.isEmpty {
            throw ControlError(.invalid, "`\(name)` names no instance and no command")
        }
        return Self.path("v1", "plugins", instance, "commands", command)
    }

    private func path(ofJob id: String) throws(ControlError) -> String {
        guard id != ".", id != "..", !id.isEmpty else { throw ControlError(.invalid, "`\(id)` names no job") }
        return Self.path("v1", "jobs", id)
    }

    private static func query(_ patience: Duration) -> String {
        let (seconds, attoseconds) = patience.components
        return "?wait=\(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)ns"
    }
}
