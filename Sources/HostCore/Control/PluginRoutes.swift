/// The part of the API that is about plugins: their commands, and what they serve at `/plugins/INSTANCE/...`.
enum PluginRoutes {
    /// - Parameter target: the host, while there is one.
    static func routes(
        over target: @escaping @HostActor @Sendable () throws(ControlError) -> any ControlTarget
    ) -> [Route] {
        let own = [
            Route(
                .get, "/v1/plugins", "the plugins of the config: what each is, and whether it runs",
                RouteContract(answer: .named("PluginList", "in the order of the config"))
            ) { _ throws(ControlError) in try target().listPlugins() },
            Route(
                .get, "/v1/plugins/{instance}",
                "everything of a plugin: its config in force, the schema of that, its commands",
                RouteContract(answer: .named("PluginRow", "the plugin"))
            ) { request throws(ControlError) in try target().showPlugin(request.parameters["instance"] ?? "") },
            Route(
                .post, "/v1/plugins/{instance}/enable", "begins a plugin that was disabled, or has failed",
                RouteContract(query: [SettingRoutes.save], answer: .named("PluginRow", "the plugin"))
            ) { request throws(ControlError) in
                try await target().enable(
                    plugin: request.parameters["instance"] ?? "", saving: request.options["save"]?.bool ?? false)
            },
            Route(
                .post, "/v1/plugins/{instance}/disable",
                "disables a plugin, also over reloads, until it is enabled or the host starts anew",
                RouteContract(
                    query: [SettingRoutes.save],
                    answer: .named("PluginRow", "the plugin, when it has let go of everything"))
            ) { request throws(ControlError) in
                try await target().disable(
                    plugin: request.parameters["instance"] ?? "", saving: request.options["save"]?.bool ?? false)
            },
            Route(.get, "/v1/commands", "the commands of all plugin instances, with their schemas") {
                _ throws(ControlError) in try target().commands()
            },
            Route(
                .get, "/plugins", "what plugins serve", RouteContract(answer: .named("PluginRoutes", "their routes"))
            ) { _ throws(ControlError) in ["routes": try target().routes()] },
        ]
        // Its pages name each other relatively, which only works below a slash.
        let places = Route.Method.allCases.map { method in
            Route(
                method, "/plugins/{instance}", "goes on to /plugins/{instance}/",
                RouteContract(answer: RouteAnswer(status: 308, summary: "at another place", contentTypes: [])),
                isPlugins: true
            ) { request in
                do throws(ControlError) {
                    let instance = request.parameters["instance"] ?? ""
                    try target().requirePlugin(instance)
                    let place = ControlClient.path("plugins", instance)
                    return ControlResponse(status: 308, body: .null, headers: ["Location": "\(place)/"])
                } catch {
                    return ControlResponse(error)
                }
            }
        }
        // The second behind all that the host itself answers there.
        let prefixed = ["/plugins", "/v1/plugins"].flatMap { prefix in Route.Method.allCases.map { (prefix, $0) } }
        let served = prefixed.map { prefix, method in
            Route(
                method, "\(prefix)/{instance}/{path...}", "answered by the plugin", RouteContract(), isPlugins: true,
                methods: { parameters in
                    let (instance, path) = place(parameters)
                    return try? target().methods(instance: instance, path: path)
                }
            ) { request in
                let (instance, path) = place(request.parameters)
                do throws(ControlError) {
                    return try await target().serve(instance: instance, path: path, request)
                } catch {
                    return ControlResponse(error)
                }
            }
        }
        return own + places + served
    }

    static func command(
        over target: @escaping @HostActor @Sendable () throws(ControlError) -> any ControlTarget
    ) -> Route {
        Route(
            .post, "/v1/plugins/{instance}/commands/{command}", "runs a command; the body is its parameters",
            RouteContract(
                query: [JobRoutes.patience], body: .parameters,
                answer: RouteAnswer(summary: "what the command answers", schema: [:]), goesOn: true)
        ) { request in await call(request, over: target) }
    }

    private static func place(_ parameters: [String: String]) -> (instance: String, path: String) {
        (parameters["instance"] ?? "", "/\(parameters["path"] ?? "")")
    }

    private static func call(
        _ request: ControlRequest,
        over target: @escaping @HostActor @Sendable () throws(ControlError) -> any ControlTarget
    ) async -> ControlResponse {
        let (instance, command) = (request.parameters["instance"] ?? "", request.parameters["command"] ?? "")
        do throws(ControlError) {
            let answer = try await target().jobs.perform(
                command, of: instance, for: request.origin, patience: request.patience
            ) {
                report throws(ControlError) in
                let end = request.cause == nil ? nil : try target().attribute(request)
                defer { end?() }
                return try await target().call(
                    instance: instance, command: command, parameters: request.body ?? .map([]), progress: report)
            }
            switch answer {
            case .result(let value): return ControlResponse(body: value)
            case .job(let job):
                let place = ControlClient.path("v1", "jobs", job["id"]?.string ?? "")
                return ControlResponse(status: 202, body: job, headers: ["Location": place])
            }
        } catch {
            return ControlResponse(error)
        }
    }
}
