/// The client's side of `ControlRoutes`.
extension ControlClient {
    public func status(timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.get, "/v1/status", timeout: timeout)
    }

    /// Makes the host read its config file again, and returns when what changed runs.
    /// - Throws: `configuration` where the file has errors or a pipeline did not start; the host goes on as before.
    public func reload(timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.post, "/v1/reload", timeout: timeout)
    }

    public func commands(timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.get, "/v1/commands", timeout: timeout)
    }

    /// A pipeline as it is now.
    public func graph(
        pipeline: String, format: GraphFormat = .dot, timeout: Duration = .seconds(30)
    ) throws(ControlError) -> String {
        try successful(.get, path(of: pipeline, "graph") + "?format=\(format.rawValue)", timeout: timeout).text
    }

    public func configuration(timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.get, "/v1/config", timeout: timeout)
    }

    public func plugins(timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.get, "/v1/plugins", timeout: timeout)["plugins"] ?? .list([])
    }

    /// - Parameter name: an instance of the config.
    public func plugin(_ name: String, timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        guard name != ".", name != "..", !name.isEmpty else {
            throw ControlError(.invalid, "`\(name)` names no plugin")
        }
        return try request(.get, Self.path("v1", "plugins", name), timeout: timeout)
    }

    /// Enables a plugin, or disables it.
    public func turn(
        plugin name: String, on isOn: Bool, saving: Bool = false, timeout: Duration = .seconds(30)
    ) throws(ControlError) -> Value {
        guard name != ".", name != "..", !name.isEmpty else {
            throw ControlError(.invalid, "`\(name)` names no plugin")
        }
        let path = Self.path("v1", "plugins", name, isOn ? "enable" : "disable")
        return try request(.post, path + (saving ? "?save=true" : ""), timeout: timeout)
    }

    public func pipelines(timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.get, "/v1/pipelines", timeout: timeout)["pipelines"] ?? .list([])
    }

    public func pipeline(_ name: String, timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.get, path(of: name), timeout: timeout)
    }

    public func restart(pipeline: String, timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.post, path(of: pipeline, "restart"), timeout: timeout)
    }

    /// The numbers of the host and its plugins, in Prometheus' text format.
    public func metrics(timeout: Duration = .seconds(30)) throws(ControlError) -> String {
        try successful(.get, "/metrics", timeout: timeout).text
    }

    /// A picture of a pipeline.
    /// - Parameter query: members of the query, as `GET /v1/pipelines/{pipeline}/snapshot` takes them.
    public func snapshot(
        of pipeline: String, _ query: [(name: String, value: String)], timeout: Duration = .seconds(30)
    ) throws(ControlError) -> [UInt8] {
        let text = query.map { "\($0.name)=\(Self.path($0.value).dropFirst())" }.joined(separator: "&")
        return try successful(
            .get, path(of: pipeline, "snapshot") + (text.isEmpty ? "" : "?\(text)"), timeout: timeout
        ).bytes
    }

    /// An answer that is no JSON, or the host's error.
    private func successful(
        _ method: Route.Method, _ path: String, timeout: Duration
    ) throws(ControlError) -> Answer {
        let answer = try fetch(method, path, timeout: timeout)
        guard answer.isSuccess else {
            throw (try? JSONText.parse(answer.text)).flatMap { ControlError(body: $0, status: answer.status) }
                .map(place.explained)
                ?? ControlError(.failed, "`\(place)` answered with status \(answer.status) and no reason")
        }
        return answer
    }

    public func rules(timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.get, "/v1/rules", timeout: timeout)["rules"] ?? .list([])
    }

    public func start(pipeline: String, timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.post, path(of: pipeline, "start"), timeout: timeout)
    }

    public func stop(pipeline: String, timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.post, path(of: pipeline, "stop"), timeout: timeout)
    }

    /// - Parameter path: `element.property`.
    public func property(_ path: String, of pipeline: String, timeout: Duration = .seconds(30)) throws(ControlError)
        -> Value
    {
        try request(.get, self.path(of: pipeline, "properties", path), timeout: timeout)
    }

    /// - Parameter path: `element.property`, which the pipeline's `settable:` lists.
    public func set(
        _ path: String, of pipeline: String, to value: String, saving: Bool = false, timeout: Duration = .seconds(30)
    ) throws(ControlError) -> Value {
        let saved: [Value.Member] = saving ? [.init("save", true)] : []
        return try request(
            .post, self.path(of: pipeline, "properties", path), body: .map([.init("value", .string(value))] + saved),
            timeout: timeout)
    }

    func path(of pipeline: String, _ rest: String...) throws(ControlError) -> String {
        guard pipeline != ".", pipeline != "..", !pipeline.isEmpty else {
            throw ControlError(.invalid, "`\(pipeline)` names no pipeline")
        }
        return rest.reduce(Self.path("v1", "pipelines", pipeline)) { $0 + Self.path($1) }
    }
}
