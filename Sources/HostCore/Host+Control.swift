internal import GStreamerKit
internal import PluginABI

/// The host as the control API drives it.
extension Host: ControlTarget {
    public func status() -> Value {
        [
            "version": .string(HostVersion.text), "safe_mode": .bool(source?.isSafe ?? false),
            "uptime_ns": .int((clock.monotonic() - started).nanoseconds),
            "lifecycle": lifecycleStatus,
            "login": login.status,
            "inputs": inputs.status,
            "outputs": outputs.status,
            "rules": rulesStatus,
            "pipelines": .map(pipelines.controllers.map { .init($0.name, $0.status()) }),
            "configuration": reloader.status,
            "plugins": .map(
                plugins.instances.map { .init($0.name, status(of: $0)) }
                    + plugins.failures.sorted { $0.key < $1.key }.map {
                        .init($0.key, status(ofFailed: $0.key, $0.value))
                    }
                    + disabledPlugins.subtracting(plugins.instances.map(\.name)).sorted().map {
                        .init($0, ["state": "disabled", "policy": .string(policy(of: $0).rawValue)])
                    }),
        ]
    }

    public func reload() async -> ControlResponse { await reloader.reload().response }

    public func call(
        instance: String, command: String, parameters: Value,
        progress: @escaping @HostActor @Sendable (_ fraction: Double, _ text: String) -> Void = { _, _ in }
    ) async throws(ControlError) -> Value {
        let plugin = try plugin(instance)
        do throws(PluginCallError) {
            let result = try await plugin.call(command, parameters) { [weak self] fraction, text in
                progress(fraction, self?.secrets.mask(text) ?? text)
            }
            return secrets.mask(result)
        } catch {
            var error = error
            error.message = secrets.mask(error.message)
            throw ControlError(error)
        }
    }

    public func serve(
        instance: String, path: String, _ request: ControlRequest
    ) async throws(ControlError) -> ControlResponse {
        try await plugin(instance).serve(path, request)
    }

    public func methods(instance: String, path: String) throws(ControlError) -> [String]? {
        try plugin(instance).methods(path)
    }

    public func requirePlugin(_ instance: String) throws(ControlError) { _ = try plugin(instance) }

    public func routes() -> Value {
        .list(
            plugins.instances.flatMap { instance in
                instance.routes.map { route in
                    [
                        "plugin": .string(instance.name), "method": .string(route.method.rawValue),
                        "path": .string(ControlClient.path("plugins", instance.name) + route.path),
                        "summary": .string(route.summary),
                    ]
                }
            })
    }

    private func plugin(_ instance: String) throws(ControlError) -> PluginInstance {
        if let plugin = plugins[instance] { return plugin }
        throw absence(of: instance)
    }

    public func commands() -> Value {
        .map(
            plugins.instances.map { instance in
                .init(
                    instance.name,
                    .map(
                        instance.commands.map { command in
                            .init(
                                command.name,
                                [
                                    "summary": .string(command.summary),
                                    "parameters": Self.schema(command.parametersText),
                                    "result": Self.schema(command.resultText),
                                ])
                        }))
            })
    }

    private func status(of instance: PluginInstance) -> Value {
        [
            "state": .string("\(instance.state)"),
            "id": .string(instance.descriptor.id),
            "version": .string(instance.descriptor.version),
            "policy": .string(policy(of: instance.name).rawValue),
            "restarts": .int(Int64(restarts.counts[instance.name] ?? 0)),
            "counters": instance.counters,
            "metrics": instance.context.metrics.value,
        ]
    }

    private func status(ofFailed name: String, _ failure: PluginFailure) -> Value {
        [
            "state": "failed", "message": .string(failure.message),
            "policy": .string(policy(of: name).rawValue), "restarts": .int(Int64(restarts.counts[name] ?? 0)),
        ]
    }

    static func schema(_ text: String?) -> Value {
        guard let text, let value = try? JSONText.parse(text) else { return .null }
        return value
    }
}

extension ControlError {
    init(_ error: PluginCallError) {
        let code: Code =
            switch Int(error.status) {
            case MH_E_INVALID: .invalid
            case MH_E_STATE: .state
            case MH_E_NOT_FOUND: .notFound
            case MH_E_UNSUPPORTED: .unsupported
            case MH_E_LIMIT: .limit
            case MH_E_BUSY: .busy
            case MH_E_CANCELLED: .cancelled
            case MH_E_TIMEOUT: .timeout
            default: .failed
            }
        self.init(code, error.message, field: error.field)
    }
}
