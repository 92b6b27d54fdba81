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
            Route(.get, "/v1/commands", "the commands of all plugin instances, with their schemas") {
                _ throws(ControlError) in try target().commands()
            },
            Route(
                .post, "/v1/plugins/{instance}/commands/{command}", "runs a command; the body is its parameters",
                RouteContract(body: .parameters, answer: RouteAnswer(summary: "what the command answers", schema: [:]))
            ) { request throws(ControlError) in
                try await target().call(
                    instance: request.parameters["instance"] ?? "", command: request.parameters["command"] ?? "",
                    parameters: request.body ?? .map([]))
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
        let served = Route.Method.allCases.map { method in
            Route(method, "/plugins/{instance}/{path...}", "answered by the plugin", isPlugins: true) { request in
                do throws(ControlError) {
                    return try await target().serve(
                        instance: request.parameters["instance"] ?? "", path: "/\(request.parameters["path"] ?? "")",
                        request)
                } catch {
                    return ControlResponse(error)
                }
            }
        }
        return own + places + served
    }
}
