/// The part of the API that plugins serve: `/plugins/INSTANCE/...`.
enum PluginRoutes {
    /// - Parameter target: the host, while there is one.
    static func routes(
        over target: @escaping @HostActor @Sendable () throws(ControlError) -> any ControlTarget
    ) -> [Route] {
        let list = Route(.get, "/plugins", "what plugins serve") { _ throws(ControlError) in
            ["routes": try target().routes()]
        }
        // Its pages name each other relatively, which only works below a slash.
        let places = Route.Method.allCases.map { method in
            Route(method, "/plugins/{instance}", "goes on to /plugins/{instance}/") { request in
                let place = ControlClient.path("plugins", request.parameters["instance"] ?? "")
                return ControlResponse(status: 308, body: .null, headers: ["Location": "\(place)/"])
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
        return [list] + places + served
    }
}
