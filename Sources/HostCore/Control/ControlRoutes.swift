/// The routes of the API's first version, over a `ControlTarget`.
public enum ControlRoutes {
    /// - Parameters:
    ///   - target: not retained; requests after its end are answered `busy`.
    ///   - streams: nil: nobody can listen to events and logs.
    @HostActor
    public static func routes(over target: any ControlTarget, streams: Streams? = nil) -> [Route] {
        let host = WeakTarget(target)
        let routes =
            [
                Route(.get, "/v1/status", "what the host, its pipelines and its plugins are doing") {
                    _ throws(ControlError) in try host.required().status()
                },
                Route(
                    .post, "/v1/reload", "reads the configuration file again; answers when what changed runs",
                    handler: { _ in await reload(host) }),
                Route(.get, "/v1/commands", "the commands of all plugin instances, with their schemas") {
                    _ throws(ControlError) in try host.required().commands()
                },
                Route(.get, "/v1/rules", "the rules of the config, and how often each has fired") {
                    _ throws(ControlError) in ["rules": try host.required().showRules()]
                },
                Route(.post, "/v1/plugins/{instance}/commands/{command}", "runs a command; the body is its parameters")
                {
                    request throws(ControlError) in try await call(host.required(), request)
                },
                Route(.post, "/v1/pipelines/{pipeline}/start", "starts a pipeline, also one that has ended") {
                    request throws(ControlError) in
                    try host.required().start(pipeline: request.parameters["pipeline"] ?? "")
                },
                Route(.post, "/v1/pipelines/{pipeline}/stop", "stops a pipeline; answers when its files are finished") {
                    request throws(ControlError) in
                    try await host.required().stop(pipeline: request.parameters["pipeline"] ?? "")
                },
                Route(.get, "/v1/pipelines/{pipeline}/properties/{property}", "a property's value, by element.property")
                {
                    request throws(ControlError) in
                    try await host.required().property(
                        request.parameters["property"] ?? "", of: request.parameters["pipeline"] ?? "")
                },
                Route(
                    .post, "/v1/pipelines/{pipeline}/properties/{property}",
                    "sets a property that `settable:` lists; the body is {\"value\": TEXT}"
                ) {
                    request throws(ControlError) in
                    guard let value = request.body?["value"]?.string else {
                        throw ControlError(
                            .invalid, "the body must be {\"value\": TEXT}, the value as a launch text says it",
                            field: "value")
                    }
                    return try await host.required().set(
                        request.parameters["property"] ?? "", of: request.parameters["pipeline"] ?? "", to: value)
                },
                Route(.get, "/v1/pipelines/{pipeline}/graph", "a pipeline with its live caps, in graphviz's language") {
                    request throws(ControlError) in
                    try await host.required().graph(pipeline: request.parameters["pipeline"] ?? "")
                },
                Route(
                    .get, "/v1/pipelines/{pipeline}/snapshot",
                    "a picture; ?pad=ELEMENT.PAD&format=jpeg|png&width=PIXELS&height=PIXELS",
                    handler: { await snapshot(host, $0) }),
                Route(
                    .get, "/metrics", "the numbers of the host and its plugins, as Prometheus reads them",
                    handler: { _ in metrics(of: host) }),
            ] + LifecycleRoutes.routes { () throws(ControlError) in try host.required() }
            + PlaybackRoutes.routes { () throws(ControlError) in try host.required() }
            + (streams.map { StreamRoutes.routes($0) } ?? [])
            + PluginRoutes.routes { () throws(ControlError) in try host.required() }
        return [index(of: routes)] + routes
    }

    /// `GET /v1`: what else there is.
    private static func index(of routes: [Route]) -> Route {
        let list = Value.list(
            routes.map {
                ["method": .string($0.method.rawValue), "path": .string($0.path), "summary": .string($0.summary)]
            })
        return Route(.get, "/v1", "this list") { _ throws(ControlError) in ["routes": list] }
    }

    @HostActor
    private static func reload(_ host: WeakTarget) async -> ControlResponse {
        do throws(ControlError) {
            return try await host.required().reload()
        } catch {
            return ControlResponse(error)
        }
    }

    @HostActor
    private static func snapshot(_ host: WeakTarget, _ request: ControlRequest) async -> ControlResponse {
        do throws(ControlError) {
            return ControlResponse(
                payload: try await host.required().snapshot(
                    SnapshotRequest(request.query), of: request.parameters["pipeline"] ?? ""))
        } catch {
            return ControlResponse(error)
        }
    }

    @HostActor
    private static func metrics(of host: WeakTarget) -> ControlResponse {
        do throws(ControlError) {
            return ControlResponse(
                payload: .init(contentType: MetricText.contentType, bytes: Array(try host.required().metrics().utf8)))
        } catch {
            return ControlResponse(error)
        }
    }

    @HostActor
    private static func call(_ target: any ControlTarget, _ request: ControlRequest) async throws(ControlError) -> Value
    {
        let parameters = request.body ?? .map([])
        guard case .map = parameters else {
            throw ControlError(.invalid, "the body must be a JSON object: the parameters of the command by name")
        }
        guard let instance = request.parameters["instance"], let command = request.parameters["command"] else {
            throw ControlError(.invalid, "the path names no instance and command")
        }
        return try await target.call(instance: instance, command: command, parameters: parameters)
    }

    /// The host owns the server that owns the routes; they must not own the host.
    @HostActor
    private final class WeakTarget {
        private weak var target: (any ControlTarget)?

        init(_ target: any ControlTarget) { self.target = target }

        func required() throws(ControlError) -> any ControlTarget {
            guard let target else { throw ControlError(.busy, "the host is stopping") }
            return target
        }
    }
}
